func.func @two(%x: tensor<8xf32> {secret.secret}, %k: f32 {secret.secret}) -> (tensor<8xf32>, tensor<8xf32>) {
  %a = arith.mulf %x, %x : tensor<8xf32>
  %b = arith.addf %x, %x : tensor<8xf32>
  return %a, %b : tensor<8xf32>, tensor<8xf32>
}
