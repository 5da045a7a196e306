// heir-opt's text of programs/dot.mlir (heir-py 2026.11.1), without its data and operations of other dialects
!cc = !openfhe.crypto_context
!ct = !openfhe.ciphertext
!params = !openfhe.cc_params
!pk = !openfhe.public_key
!pt = !openfhe.plaintext
!sk = !openfhe.private_key
#layout = #tensor_ext.layout<"{ [] -> [ct, slot] : ct = 0 and slot = 0 }">
#original_type = #tensor_ext.original_type<originalType = f32, layout = #layout>
module attributes {backend.openfhe, scheme.actual_slot_count = 8192 : i64, scheme.ckks, scheme.requested_slot_count = 2048 : i64} {
  func.func @dot__preprocessing(%cc: !cc) -> memref<2x!pt> attributes {heir.interface = {entry_arg_indices = array<i64>, func_name = "dot", roles = ["server.preprocessing"]}} {
    %pt = openfhe.make_ckks_packed_plaintext %cc, %cst : (!cc, tensor<2048xf64>) -> !pt
    %pt_1 = openfhe.make_ckks_packed_plaintext %cc, %cst_0 : (!cc, tensor<2048xf64>) -> !pt
  }
  func.func @dot__preprocessed(%cc: !cc, %arg0: tensor<1x!ct> {heir.kernel_info = {gap_factor = 1 : i64, result_shape = array<i64: 8>}, tensor_ext.original_type = #tensor_ext.original_type<originalType = tensor<8xf32>, layout = #tensor_ext.layout<"{ [i0] -> [ct, slot] : ct = 0 and (-i0 + slot) mod 8 = 0 and 0 <= i0 <= 7 and 0 <= slot <= 2047 }">>}, %arg1: tensor<1x!ct> {heir.kernel_info = {gap_factor = 1 : i64, result_shape = array<i64: 8>}, tensor_ext.original_type = #tensor_ext.original_type<originalType = tensor<8xf32>, layout = #tensor_ext.layout<"{ [i0] -> [ct, slot] : ct = 0 and (-i0 + slot) mod 8 = 0 and 0 <= i0 <= 7 and 0 <= slot <= 2047 }">>}, %arg2: memref<2x!pt>) -> tensor<1x!ct> attributes {heir.interface = {func_name = "dot", roles = ["client.preprocessed", "server.evaluate"]}} {
    %ct = openfhe.mul_no_relin %cc, %extracted, %extracted_0 : (!cc, !ct, !ct) -> !ct
    %ct_1 = openfhe.relin_inplace %cc, %ct : (!cc, !ct) -> !ct
    %ct_2 = openfhe.rot %cc, %ct_1, %c1 : (!cc, !ct, index) -> !ct
    %ct_3 = openfhe.add_inplace %cc, %ct_1, %ct_2 : (!cc, !ct, !ct) -> !ct
    %ct_4 = openfhe.rot %cc, %ct_3, %c2 : (!cc, !ct, index) -> !ct
    %ct_5 = openfhe.add_inplace %cc, %ct_3, %ct_4 : (!cc, !ct, !ct) -> !ct
    %ct_6 = openfhe.rot %cc, %ct_5, %c4 : (!cc, !ct, index) -> !ct
    %ct_7 = openfhe.add_plain_inplace %cc, %ct_5, %pt : (!cc, !ct, !pt) -> !ct
    %ct_8 = openfhe.add_inplace %cc, %ct_7, %ct_6 : (!cc, !ct, !ct) -> !ct
    %ct_9 = openfhe.mod_reduce_inplace %cc, %ct_8 : (!cc, !ct) -> !ct
    %ct_11 = openfhe.mul_plain %cc, %ct_9, %pt_10 : (!cc, !ct, !pt) -> !ct
    %ct_12 = openfhe.mod_reduce_inplace %cc, %ct_11 : (!cc, !ct) -> !ct
  }
  func.func @dot(%cc: !cc, %arg0: tensor<1x!ct> {heir.kernel_info = {gap_factor = 1 : i64, result_shape = array<i64: 8>}, tensor_ext.original_type = #tensor_ext.original_type<originalType = tensor<8xf32>, layout = #tensor_ext.layout<"{ [i0] -> [ct, slot] : ct = 0 and (-i0 + slot) mod 8 = 0 and 0 <= i0 <= 7 and 0 <= slot <= 2047 }">>}, %arg1: tensor<1x!ct> {heir.kernel_info = {gap_factor = 1 : i64, result_shape = array<i64: 8>}, tensor_ext.original_type = #tensor_ext.original_type<originalType = tensor<8xf32>, layout = #tensor_ext.layout<"{ [i0] -> [ct, slot] : ct = 0 and (-i0 + slot) mod 8 = 0 and 0 <= i0 <= 7 and 0 <= slot <= 2047 }">>}) -> (tensor<1x!ct> {tensor_ext.original_type = #original_type}) attributes {heir.interface = {func_name = "dot", input_types = [tensor<8xf32>, tensor<8xf32>], result_types = [f32], roles = ["entry"]}} {
  }
  func.func @dot__encrypt__arg0(%cc: !cc, %arg0: tensor<8xf32>, %pk: !pk) -> tensor<1x!ct> attributes {heir.interface = {func_name = "dot", index = 0 : i64, roles = ["client.encrypt"]}} {
    %pt = openfhe.make_ckks_packed_plaintext %cc, %1 : (!cc, tensor<2048xf64>) -> !pt
    %ct = openfhe.encrypt %cc, %pt, %pk : (!cc, !pt, !pk) -> !ct
  }
  func.func @dot__encrypt__arg1(%cc: !cc, %arg0: tensor<8xf32>, %pk: !pk) -> tensor<1x!ct> attributes {heir.interface = {func_name = "dot", index = 1 : i64, roles = ["client.encrypt"]}} {
    %pt = openfhe.make_ckks_packed_plaintext %cc, %1 : (!cc, tensor<2048xf64>) -> !pt
    %ct = openfhe.encrypt %cc, %pt, %pk : (!cc, !pt, !pk) -> !ct
  }
  func.func @dot__decrypt__result0(%cc: !cc, %arg0: tensor<1x!ct>, %sk: !sk) -> f32 attributes {heir.interface = {func_name = "dot", index = 0 : i64, roles = ["client.decrypt"]}} {
    %pt = openfhe.decrypt %cc, %extracted, %sk : (!cc, !ct, !sk) -> !pt
    %0 = openfhe.decode_ckks %pt : !pt -> tensor<1x2048xf32>
  }
  func.func @dot__generate_crypto_context() -> !cc {
    %params = openfhe.gen_params  <mulDepth = 2, plainMod = 0, firstModSize = 55, scalingModSize = 45, scalingTechniqueFixedManual = true> : () -> !params
    %cc = openfhe.gen_context %params <supportFHE = false> : (!params) -> !cc
  }
  func.func @dot__configure_crypto_context(%cc: !cc, %sk: !sk) -> !cc {
    openfhe.gen_mulkey %cc, %sk : (!cc, !sk) -> ()
    openfhe.gen_rotkey %cc, %sk <indices = [2, 4, 1]> : (!cc, !sk) -> ()
  }
}

