func.func @conv1d(%x: tensor<1x1x8xf32> {secret.secret}) -> tensor<1x2x7xf32> {
  %f = arith.constant dense<[[[0.5, -0.25]], [[1.0, 0.125]]]> : tensor<2x1x2xf32>
  %o = arith.constant dense<0.0> : tensor<1x2x7xf32>
  %r = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%x, %f : tensor<1x1x8xf32>, tensor<2x1x2xf32>) outs(%o : tensor<1x2x7xf32>) -> tensor<1x2x7xf32>
  return %r : tensor<1x2x7xf32>
}
