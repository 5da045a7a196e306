#id = affine_map<(i) -> (i)>
func.func @sigmoid(%x: tensor<64xf32> {secret.secret}) -> tensor<64xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"], domain_lower = -3.0 : f64, domain_upper = 3.0 : f64} ins(%x : tensor<64xf32>) outs(%e : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %n = arith.negf %in : f32
    %p = math.exp %n : f32
    %s = arith.addf %p, %one : f32
    %q = arith.divf %one, %s : f32
    linalg.yield %q : f32
  } -> tensor<64xf32>
  return %r : tensor<64xf32>
}
