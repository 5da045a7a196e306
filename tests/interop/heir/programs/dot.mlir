func.func @dot(%a: tensor<8xf32> {secret.secret}, %b: tensor<8xf32> {secret.secret}) -> f32 {
  %start = arith.constant dense<0.1> : tensor<f32>
  %sum = linalg.dot ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%start : tensor<f32>) -> tensor<f32>
  %r = tensor.extract %sum[] : tensor<f32>
  return %r : f32
}
