func.func @wide(%a: tensor<3000xf32> {secret.secret}, %b: tensor<3000xf32> {secret.secret}) -> tensor<3000xf32> {
  %p = arith.mulf %a, %b : tensor<3000xf32>
  %r = arith.addf %p, %a : tensor<3000xf32>
  return %r : tensor<3000xf32>
}
