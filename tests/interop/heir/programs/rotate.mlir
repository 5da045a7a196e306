func.func @rotate(%x: tensor<8xf64> {secret.secret}) -> tensor<8xf64> {
  %c1 = arith.constant 1 : index
  %r = tensor_ext.rotate %x, %c1 : tensor<8xf64>, index
  %two = arith.constant dense<2.0> : tensor<8xf64>
  %m = arith.mulf %r, %two : tensor<8xf64>
  return %m : tensor<8xf64>
}
