# SPDX-License-Identifier: Apache-2.0
# The library's files by folder, for every build of it. Order: a folder imports from folders above it in this list (lib/README.md).
#   rs_core  freestanding C11, for every machine
#   rs_x86   back ends of x86-64. Each function names the instructions it needs, and each file is empty on other machines.
#   rs_host  what needs an operating system
function(rs_folder list folder)
    list(TRANSFORM ARGN PREPEND "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/src/${folder}/")
    set(${list} ${${list}} ${ARGN} PARENT_SCOPE)
endfunction()

rs_folder(rs_core base status.c version.c zeroize.c)
rs_folder(rs_core hash blake2.c chacha20.c hash.c keccak.c shake.c sponges.c)
rs_folder(rs_core arith modarith.c ntt.c plan.c ring.c ring32.c)
rs_folder(rs_core encoding fft.c fft_roots.c fixed.c fixed_roots.c fixed_slots.c kernels.c lifts.c)
rs_folder(rs_core sampling gaussian.c sample.c seed.c)
rs_folder(rs_core fma ring_fma.c)
rs_folder(rs_x86 x86 available.c)
rs_folder(rs_x86 x86/arith ntt_avx2.c ntt_avx2_32.c ntt_avx512.c ntt_avx512_32.c ntt_ifma.c ntt_ifma48.c ring_avx2.c ring_avx512.c)
rs_folder(rs_x86 x86/encoding encoding_avx2.c encoding_avx512.c fft_avx2.c fft_avx512.c)
rs_folder(rs_x86 x86/hash blake2_avx2.c blake2_avx512.c hash_x86.c keccak_avx2.c keccak_avx512.c)
rs_folder(rs_x86 x86/sampling sample_avx2.c sample_avx512.c samplers_x86.c)
rs_folder(rs_core backend backend.c choice.c plan.c streams.c)
rs_folder(rs_core params params.c security.c sets.c)
rs_folder(rs_core machine builder.c call.c core.c design.c image.c instruction.c memory.c order.c)
rs_folder(rs_core rlwe context.c keys.c noise.c poly.c switch.c)
rs_folder(rs_core ckks context.c decode.c decrypt.c encode.c encode_fixed.c encrypt.c message.c precision.c)
rs_folder(rs_core mlkem codec.c mlkem.c ntt.c pke.c sample.c sets.c)
rs_folder(rs_core mldsa expand.c keys.c message.c packing.c ring.c sign.c verify.c)
rs_folder(rs_core bliss challenge.c code.c gaussian.c keys.c reject.c scheme.c sign.c verify.c)
rs_folder(rs_core newhope newhope.c poly.c reconcile.c)
rs_folder(rs_core seal wire_convert.c wire_format.c wire_read.c wire_write.c)
rs_folder(rs_core selftest selftest.c)
rs_folder(rs_core ckks/on_core call.c decrypt.c encrypt.c frames.c images.c load.c memory.c message.c numbers.c program.c selftest.c)
rs_folder(rs_host host batch.c codec.c fd.c pool.c rng_os.c zstd_words_read.c zstd_words_write.c)
