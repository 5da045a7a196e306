// SPDX-License-Identifier: Apache-2.0
// A C++17 program on the public headers: encrypts with a public key, decrypts, compares. Prints the largest error.
#include <ringside/ringside.h>

#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <vector>

namespace {

void check(rs_status_t status) {
    if (status != RS_OK) throw std::runtime_error(rs_status_message(status));
}

double round_trip() {
    rs_params_t params;
    rs_params_request_t set{};
    set.size = sizeof set;
    set.name = "lee-13";
    check(rs_params_init(&params, &set));
    std::vector<std::uint64_t> memory(rs_context_size(&params) / 8 + 1);
    const rs_context_t *context = nullptr;
    rs_context_request_t tables{};
    tables.size = sizeof tables;
    tables.params = &params;
    tables.memory = {memory.data(), memory.size() * 8};
    check(rs_context_init(&context, &tables));
    rs_rng_t rng;
    rs_rng_os(&rng);

    const std::size_t n = rs_context_n(context), slots = n / 2;
    const std::uint32_t limbs = rs_params_data_limbs(&params);
    std::vector<std::uint64_t> workspace(rs_encrypt_workspace(context, RS_ENCRYPT_PK) / 8);
    const std::size_t bytes = workspace.size() * 8;

    std::vector<std::uint64_t> secret_words(params.limb_count * n), key_words(2 * params.limb_count * n);
    rs_secret_key_t secret{};
    secret.ntt = secret_words.data();
    check(rs_keygen_secret(context, &secret, &rng));
    rs_ciphertext_t key{};
    key.data = key_words.data();
    rs_keygen_request_t wanted{};
    wanted.size = sizeof wanted;
    wanted.context = context;
    wanted.secret_key = &secret;
    wanted.key = &key;
    wanted.rng = &rng;
    wanted.workspace = {workspace.data(), bytes};
    check(rs_keygen(&wanted));

    std::vector<double> values(slots), coefficients(n), decoded(slots);
    for (std::size_t i = 0; i < slots; i++) values[i] = std::sin(static_cast<double>(i));
    rs_plaintext_t message{};
    message.coef = coefficients.data();
    check(rs_encode(context, &message, values.data(), slots, 0, 1073741824.0, limbs));
    std::vector<std::uint64_t> words(rs_ciphertext_words(context, 2, limbs, 0)), residues(limbs * n);
    rs_ciphertext_t ciphertext{};
    ciphertext.data = words.data();
    check(rs_encrypt_public(context, &key, &message, RS_ENCRYPT_PK, &ciphertext, &rng, workspace.data(), bytes));

    rs_plaintext_t decrypted{};
    decrypted.ntt = residues.data();
    check(rs_decrypt(context, &secret, &ciphertext, limbs, &decrypted, workspace.data(), bytes));
    check(rs_decode(context, &decrypted, decoded.data(), slots, 0, workspace.data(), bytes));
    double largest = 0;
    for (std::size_t i = 0; i < slots; i++) largest = std::fmax(largest, std::fabs(decoded[i] - values[i]));
    return largest;
}

} // namespace

int main() {
    try {
        const double error = round_trip();
        std::printf("ringside %s: largest error %g\n", rs_version(), error);
        return error < 1e-4 ? 0 : 1;
    } catch (const std::exception &error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
