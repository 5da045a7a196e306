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
    std::vector<std::uint64_t> secret_words(params.limb_count * n), key_words(2 * params.limb_count * n);
    rs_secret_key_t secret{};
    secret.ntt = secret_words.data();
    check(rs_keygen_secret(context, &secret, &rng));
    rs_ciphertext_t key{};
    key.data = key_words.data();
    std::vector<std::uint64_t> memory_of_key;
    rs_keygen_request_t wanted{};
    wanted.size = sizeof wanted;
    wanted.context = context;
    wanted.secret_key = &secret;
    wanted.key = &key;
    wanted.rng = &rng;
    memory_of_key.resize(rs_keygen_workspace(&wanted) / 8 + 1);
    wanted.workspace = {memory_of_key.data(), memory_of_key.size() * 8};
    check(rs_keygen(&wanted));

    std::vector<double> values(slots), decoded(slots);
    for (std::size_t i = 0; i < slots; i++) values[i] = std::sin(static_cast<double>(i));
    std::vector<std::uint64_t> words(rs_ciphertext_words(context, 2, limbs, 0));
    rs_ciphertext_t ciphertext{};
    ciphertext.data = words.data();
    rs_encrypt_item_t sealed{};
    sealed.values = values.data();
    sealed.count = static_cast<std::uint32_t>(slots);
    sealed.scale = 1073741824.0;
    sealed.ciphertext = &ciphertext;
    rs_encrypt_request_t encryption{};
    encryption.size = sizeof encryption;
    encryption.kind = RS_ENCRYPT_PK;
    encryption.context = context;
    encryption.public_key = &key;
    encryption.items = &sealed;
    encryption.count = 1;
    encryption.rng = &rng;
    std::vector<std::uint64_t> workspace(rs_encrypt_workspace(&encryption) / 8 + 1);
    encryption.workspace = {workspace.data(), workspace.size() * 8};
    check(rs_encrypt(&encryption));

    rs_decrypt_item_t opened{};
    opened.ciphertext = &ciphertext;
    opened.values = decoded.data();
    opened.count = static_cast<std::uint32_t>(slots);
    rs_decrypt_request_t decryption{};
    decryption.size = sizeof decryption;
    decryption.context = context;
    decryption.secret_key = &secret;
    decryption.items = &opened;
    decryption.count = 1;
    workspace.resize(rs_decrypt_workspace(&decryption) / 8);
    decryption.workspace = {workspace.data(), workspace.size() * 8};
    check(rs_decrypt(&decryption));
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
