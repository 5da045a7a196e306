func.func @int_dot(%a: tensor<8xi16> {secret.secret}, %b: tensor<8xi16> {secret.secret}) -> i16 {
  %z = arith.constant dense<0> : tensor<i16>
  %s = linalg.dot ins(%a, %b : tensor<8xi16>, tensor<8xi16>) outs(%z : tensor<i16>) -> tensor<i16>
  %r = tensor.extract %s[] : tensor<i16>
  return %r : i16
}
