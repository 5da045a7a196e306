// heir-opt's text of programs/dot.mlir (heir-py 2026.11.1), without its data and operations of other dialects
!ct = !lattigo.rlwe.ciphertext
!decryptor = !lattigo.rlwe.decryptor
!ekset = !lattigo.rlwe.evaluation_key_set
!encoder = !lattigo.ckks.encoder
!encryptor_pk = !lattigo.rlwe.encryptor<publicKey = true>
!evaluator = !lattigo.ckks.evaluator
!gk_g25 = !lattigo.rlwe.galois_key<galoisElement = 25 : i64>
!gk_g5 = !lattigo.rlwe.galois_key<galoisElement = 5 : i64>
!gk_g625 = !lattigo.rlwe.galois_key<galoisElement = 625 : i64>
!kgen = !lattigo.rlwe.key_generator
!param = !lattigo.ckks.parameter
!pk = !lattigo.rlwe.public_key
!pt = !lattigo.rlwe.plaintext
!rk = !lattigo.rlwe.relinearization_key
!sk = !lattigo.rlwe.secret_key
#layout = #tensor_ext.layout<"{ [] -> [ct, slot] : ct = 0 and slot = 0 }">
#original_type = #tensor_ext.original_type<originalType = f32, layout = #layout>
module attributes {backend.lattigo, scheme.actual_slot_count = 8192 : i64, scheme.ckks, scheme.requested_slot_count = 2048 : i64} {
  memref.global "private" constant @__constant_2048xf32_0 : memref<2048xf32> = dense<1.000000e-01> alignment = 64
  memref.global "private" constant @__constant_2048xf32 : memref<2048xf32> = dense<0.0> alignment = 64
  memref.global "private" constant @__constant_1x2048xf32 : memref<1x2048xf32> = dense<0.000000e+00> alignment = 64
  func.func @dot__preprocessing(%param: !param, %encoder: !encoder) -> memref<2x!pt> attributes {heir.interface = {entry_arg_indices = array<i64>, func_name = "dot", roles = ["server.preprocessing"]}} {
    %pt = lattigo.ckks.new_plaintext %param <level = 2> : (!param) -> !pt
    %pt_0 = lattigo.ckks.encode %encoder, %1, %pt <scale = 90> : (!encoder, memref<2048xf32>, !pt) -> !pt
    %pt_1 = lattigo.ckks.new_plaintext %param <level = 1> : (!param) -> !pt
    %pt_2 = lattigo.ckks.encode %encoder, %0, %pt_1 <scale = 45> : (!encoder, memref<2048xf32>, !pt) -> !pt
  }
  func.func @dot__preprocessed(%evaluator: !evaluator, %param: !param, %encoder: !encoder, %arg0: memref<1x!ct, strided<[?], offset: ?>> {heir.kernel_info = {gap_factor = 1 : i64, result_shape = array<i64: 8>}, tensor_ext.original_type = #tensor_ext.original_type<originalType = tensor<8xf32>, layout = #tensor_ext.layout<"{ [i0] -> [ct, slot] : ct = 0 and (-i0 + slot) mod 8 = 0 and 0 <= i0 <= 7 and 0 <= slot <= 2047 }">>}, %arg1: memref<1x!ct, strided<[?], offset: ?>> {heir.kernel_info = {gap_factor = 1 : i64, result_shape = array<i64: 8>}, tensor_ext.original_type = #tensor_ext.original_type<originalType = tensor<8xf32>, layout = #tensor_ext.layout<"{ [i0] -> [ct, slot] : ct = 0 and (-i0 + slot) mod 8 = 0 and 0 <= i0 <= 7 and 0 <= slot <= 2047 }">>}, %arg2: memref<2x!pt>) -> memref<1x!ct> attributes {heir.interface = {func_name = "dot", roles = ["client.preprocessed", "server.evaluate"]}} {
    %ct_1 = lattigo.ckks.mul_new %evaluator, %ct, %ct_0 : (!evaluator, !ct, !ct) -> !ct
    %ct_2 = lattigo.ckks.relinearize %evaluator, %ct_1, %ct_1 : (!evaluator, !ct, !ct) -> !ct
    %ct_3 = lattigo.ckks.rotate_new %evaluator, %ct_2, %c1 : (!evaluator, !ct, index) -> !ct
    %ct_4 = lattigo.ckks.add %evaluator, %ct_2, %ct_3, %ct_1 : (!evaluator, !ct, !ct, !ct) -> !ct
    %ct_5 = lattigo.ckks.rotate %evaluator, %ct_4, %ct_3, %c2 : (!evaluator, !ct, !ct, index) -> !ct
    %ct_6 = lattigo.ckks.add %evaluator, %ct_4, %ct_5, %ct_1 : (!evaluator, !ct, !ct, !ct) -> !ct
    %ct_7 = lattigo.ckks.rotate %evaluator, %ct_6, %ct_3, %c4 : (!evaluator, !ct, !ct, index) -> !ct
    %ct_8 = lattigo.ckks.add %evaluator, %ct_6, %pt, %ct_1 : (!evaluator, !ct, !pt, !ct) -> !ct
    %ct_9 = lattigo.ckks.add %evaluator, %ct_8, %ct_7, %ct_1 : (!evaluator, !ct, !ct, !ct) -> !ct
    %ct_10 = lattigo.ckks.rescale %evaluator, %ct_9, %ct_1 : (!evaluator, !ct, !ct) -> !ct
    %ct_12 = lattigo.ckks.mul %evaluator, %ct_10, %pt_11, %ct_1 : (!evaluator, !ct, !pt, !ct) -> !ct
    %ct_13 = lattigo.ckks.rescale %evaluator, %ct_12, %ct_1 : (!evaluator, !ct, !ct) -> !ct
  }
  func.func @dot(%evaluator: !evaluator, %param: !param, %encoder: !encoder, %arg0: memref<1x!ct, strided<[?], offset: ?>> {heir.kernel_info = {gap_factor = 1 : i64, result_shape = array<i64: 8>}, tensor_ext.original_type = #tensor_ext.original_type<originalType = tensor<8xf32>, layout = #tensor_ext.layout<"{ [i0] -> [ct, slot] : ct = 0 and (-i0 + slot) mod 8 = 0 and 0 <= i0 <= 7 and 0 <= slot <= 2047 }">>}, %arg1: memref<1x!ct, strided<[?], offset: ?>> {heir.kernel_info = {gap_factor = 1 : i64, result_shape = array<i64: 8>}, tensor_ext.original_type = #tensor_ext.original_type<originalType = tensor<8xf32>, layout = #tensor_ext.layout<"{ [i0] -> [ct, slot] : ct = 0 and (-i0 + slot) mod 8 = 0 and 0 <= i0 <= 7 and 0 <= slot <= 2047 }">>}) -> (memref<1x!ct> {tensor_ext.original_type = #original_type}) attributes {heir.interface = {func_name = "dot", input_types = [tensor<8xf32>, tensor<8xf32>], result_types = [f32], roles = ["entry"]}} {
  }
  func.func @dot__encrypt__arg0(%evaluator: !evaluator, %param: !param, %encoder: !encoder, %encryptor: !encryptor_pk, %arg0: memref<8xf32, strided<[?], offset: ?>>) -> memref<1x!ct> attributes {heir.interface = {func_name = "dot", index = 0 : i64, roles = ["client.encrypt"]}} {
    %pt = lattigo.ckks.new_plaintext %param <level = 2> : (!param) -> !pt
    %pt_0 = lattigo.ckks.encode %encoder, %subview, %pt <scale = 45> : (!encoder, memref<2048xf32, strided<[1]>>, !pt) -> !pt
    %ct = lattigo.rlwe.encrypt %encryptor, %pt_0 : (!encryptor_pk, !pt) -> !ct
  }
  func.func @dot__encrypt__arg1(%evaluator: !evaluator, %param: !param, %encoder: !encoder, %encryptor: !encryptor_pk, %arg0: memref<8xf32, strided<[?], offset: ?>>) -> memref<1x!ct> attributes {heir.interface = {func_name = "dot", index = 1 : i64, roles = ["client.encrypt"]}} {
    %pt = lattigo.ckks.new_plaintext %param <level = 2> : (!param) -> !pt
    %pt_0 = lattigo.ckks.encode %encoder, %subview, %pt <scale = 45> : (!encoder, memref<2048xf32, strided<[1]>>, !pt) -> !pt
    %ct = lattigo.rlwe.encrypt %encryptor, %pt_0 : (!encryptor_pk, !pt) -> !ct
  }
  func.func @dot__decrypt__result0(%evaluator: !evaluator, %param: !param, %encoder: !encoder, %decryptor: !decryptor, %arg0: memref<1x!ct, strided<[?], offset: ?>> {lwe.entry_level_depth = 2 : i64}) -> f32 attributes {heir.interface = {func_name = "dot", index = 0 : i64, roles = ["client.decrypt"]}} {
    %pt = lattigo.rlwe.decrypt %decryptor, %ct : (!decryptor, !ct) -> !pt
    %1 = lattigo.ckks.decode %encoder, %pt, %alloc : (!encoder, !pt, memref<1x2048xf32>) -> memref<1x2048xf32>
  }
  func.func @dot__configure() -> (!evaluator, !param, !encoder, !encryptor_pk, !decryptor) {
    %param = lattigo.ckks.new_parameters_from_literal  <paramsLiteral = <logN = 14, Q = [36028797017456641, 35184371138561, 35184372121601], P = [1152921504607338497, 1152921504608747521], logDefaultScale = 45>> : () -> !param
    %encoder = lattigo.ckks.new_encoder %param : (!param) -> !encoder
    %kgen = lattigo.rlwe.new_key_generator %param : (!param) -> !kgen
    %secretKey, %publicKey = lattigo.rlwe.gen_key_pair %kgen : (!kgen) -> (!sk, !pk)
    %encryptor = lattigo.rlwe.new_encryptor %param, %publicKey : (!param, !pk) -> !encryptor_pk
    %decryptor = lattigo.rlwe.new_decryptor %param, %secretKey : (!param, !sk) -> !decryptor
    %rk = lattigo.rlwe.gen_relinearization_key %kgen, %secretKey : (!kgen, !sk) -> !rk
    %gk = lattigo.rlwe.gen_galois_key %kgen, %secretKey <galoisElement = 25 : i64> : (!kgen, !sk) -> !gk_g25
    %gk_0 = lattigo.rlwe.gen_galois_key %kgen, %secretKey <galoisElement = 625 : i64> : (!kgen, !sk) -> !gk_g625
    %gk_1 = lattigo.rlwe.gen_galois_key %kgen, %secretKey <galoisElement = 5 : i64> : (!kgen, !sk) -> !gk_g5
    %ekset = lattigo.rlwe.new_evaluation_key_set %rk, %gk, %gk_0, %gk_1 : (!rk, !gk_g25, !gk_g625, !gk_g5) -> !ekset
    %evaluator = lattigo.ckks.new_evaluator %param, %ekset : (!param, !ekset) -> !evaluator
  }
}

