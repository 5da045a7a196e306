func.func @int_select(%x: i16 {secret.secret}, %y: i16 {secret.secret}, %c: i1 {secret.secret}) -> i16 {
  %r = arith.select %c, %x, %y : i16
  return %r : i16
}
