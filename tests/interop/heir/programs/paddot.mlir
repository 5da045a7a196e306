func.func @paddot(%a: tensor<5xf32> {secret.secret}, %b: tensor<8xf32> {secret.secret}) -> f32 {
  %z = arith.constant dense<0.0> : tensor<f32>
  %c0 = arith.constant 0.0 : f32
  %p = tensor.pad %a low[2] high[1] {
  ^body(%i: index):
    tensor.yield %c0 : f32
  } : tensor<5xf32> to tensor<8xf32>
  %s = linalg.dot ins(%p, %b : tensor<8xf32>, tensor<8xf32>) outs(%z : tensor<f32>) -> tensor<f32>
  %r = tensor.extract %s[] : tensor<f32>
  return %r : f32
}
