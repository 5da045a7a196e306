func.func @int_ops(%x: tensor<4xi16> {secret.secret}, %y: tensor<4xi16> {secret.secret}) -> tensor<4xi16> {
  %a = arith.addi %x, %y : tensor<4xi16>
  %b = arith.subi %x, %y : tensor<4xi16>
  %c = arith.muli %a, %b : tensor<4xi16>
  return %c : tensor<4xi16>
}
