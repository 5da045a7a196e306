func.func @levels(%x: tensor<4xf32> {secret.secret}, %y: tensor<4xf32> {secret.secret}) -> tensor<4xf32> {
  %a = arith.addf %x, %y : tensor<4xf32>
  %b = arith.mulf %a, %a : tensor<4xf32>
  %c = arith.addf %b, %y : tensor<4xf32>
  %d = arith.mulf %c, %c : tensor<4xf32>
  %e = arith.addf %d, %y : tensor<4xf32>
  return %e : tensor<4xf32>
}
