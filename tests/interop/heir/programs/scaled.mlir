func.func @scaled(%x: tensor<4xf32> {secret.secret}, %scale: tensor<4xf32>, %shift: tensor<4xf32>) -> tensor<4xf32> {
  %m = arith.constant dense<[[1.0, 0.5, 0.25, 0.125], [-1.0, 0.0, 1.0, 0.0], [0.5, 0.5, 0.5, 0.5], [0.0, 0.0, 1.0, -0.5]]> : tensor<4x4xf32>
  %z = arith.constant dense<0.0> : tensor<4xf32>
  %v = linalg.matvec ins(%m, %x : tensor<4x4xf32>, tensor<4xf32>) outs(%z : tensor<4xf32>) -> tensor<4xf32>
  %s = arith.mulf %v, %scale : tensor<4xf32>
  %r = arith.addf %s, %shift : tensor<4xf32>
  return %r : tensor<4xf32>
}
