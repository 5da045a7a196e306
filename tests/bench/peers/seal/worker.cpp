// SPDX-License-Identifier: Apache-2.0
// Microsoft SEAL with Intel HEXL, called as SEAL's own examples call it: objects that results go to are used again, so that its
// memory pool stays warm. Protocol: tests/bench/peers/__init__.py.
#include <cpu_features/cpuinfo_x86.h>
#include <seal/seal.h>

#include <hexl/hexl.hpp>

#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "../worker.h"

#ifdef SEAL_USE_GAUSSIAN_NOISE
#error "SEAL's default noise is the centred binomial: build it with SEAL_USE_GAUSSIAN_NOISE=OFF"
#endif
#ifndef SEAL_USE_INTEL_HEXL
#error "build SEAL with SEAL_USE_INTEL_HEXL=ON"
#endif

namespace {

// A context with its encoder: together they hold what Ringside's context holds.
struct Rings {
    explicit Rings(const worker_set_t &set) : context(parameters(set), true, seal::sec_level_type::none) {
        if (set.plain_modulus)
            batch.emplace(context);
        else
            encoder.emplace(context);
    }

    static seal::EncryptionParameters parameters(const worker_set_t &set) {
        seal::EncryptionParameters parms(static_cast<seal::scheme_type>(set.scheme));
        parms.set_poly_modulus_degree(set.n);
        parms.set_coeff_modulus(std::vector<seal::Modulus>(set.moduli, set.moduli + set.modulus_count));
        if (set.plain_modulus) parms.set_plain_modulus(set.plain_modulus);
        return parms;
    }

    seal::SEALContext context;
    std::optional<seal::CKKSEncoder> encoder;
    std::optional<seal::BatchEncoder> batch; // in BFV and BGV
};

struct Keys {
    explicit Keys(const Rings &rings) : generator(rings.context), secret(generator.secret_key()) {
        generator.create_public_key(public_);
    }

    seal::KeyGenerator generator;
    seal::SecretKey secret;
    seal::PublicKey public_;
};

class Client {
  public:
    explicit Client(const worker_set_t &set_) : set(set_), values(set.n / 2), decoded(set.n / 2) {
        worker_values(values.data(), values.size());
        if (!set.plain_modulus) return;
        integers.resize(set.n);
        worker_integers(integers.data(), integers.size(), set.plain_modulus);
    }

    // Before anything but `session`.
    void prepare() {
        if (rings) return;
        rings.emplace(set);
        keys.emplace(*rings);
        encryptor.emplace(rings->context, keys->public_, keys->secret);
        decryptor.emplace(rings->context, keys->secret);
        encode_encrypt_pk();
        if (rings->encoder) {
            rings->encoder->encode(values, rings->context.last_parms_id(), set.scale, plain);
            encryptor->encrypt(plain, low);
        }
        encode_encrypt_sk_seeded();
        file.resize(static_cast<std::size_t>(seeded->save_size()));
        save_load_seeded();
    }

    // ---- operations -----------------------------------------------------------------------------------------------------
    // The one that the call before made is dropped.
    void context() { other_rings.emplace(set); }
    void keygen() { seal::KeyGenerator(rings->context).create_public_key(other_public); }
    // What a client sends to its server: both in seeded form.
    void evaluation_keys() {
        const auto relin = keys->generator.create_relin_keys();
        const auto galois = keys->generator.create_galois_keys();
    }
    void encode() {
        if (rings->batch)
            rings->batch->encode(integers, plain);
        else
            rings->encoder->encode(values, set.scale, plain);
    }
    void encode_encrypt_pk() {
        encode();
        encryptor->encrypt(plain, fresh);
    }
    void encode_encrypt_sk_seeded() {
        encode();
        seeded.emplace(encryptor->encrypt_symmetric(plain));
    }
    void decrypt_decode_1limb() { decrypt_decode(low); }
    void decrypt_decode_full() { decrypt_decode(fresh); }
    // SEAL's default compression; its load expands the seed.
    void save_load_seeded() {
        file_bytes = static_cast<std::size_t>(seeded->save(file.data(), file.size()));
        loaded.load(rings->context, file.data(), file_bytes);
    }
    // Set-up, keys, one encryption, one decryption: what the peak of memory is taken over.
    void session() {
        rings.emplace(set);
        keys.emplace(*rings);
        encode();
        seal::Encryptor(rings->context, keys->public_).encrypt(plain, fresh);
        seal::Decryptor(rings->context, keys->secret).decrypt(fresh, decrypted);
        decode();
    }

    // Largest error of a value after encryption and decryption, on each of the ways.
    double check() {
        double largest = 0;
        if (rings->batch) {
            for (const seal::Ciphertext *ciphertext : {&fresh, &loaded}) {
                decrypt_decode(*ciphertext);
                if (decoded_integers != integers) largest = 1;
            }
            return largest;
        }
        for (const seal::Ciphertext *ciphertext : {&fresh, &low, &loaded}) {
            decrypt_decode(*ciphertext);
            for (std::size_t i = 0; i < values.size(); i++) largest = std::fmax(largest, std::fabs(decoded[i] - values[i]));
        }
        return largest;
    }

    std::size_t file_bytes = 0;

  private:
    void decrypt_decode(const seal::Ciphertext &ciphertext) {
        decryptor->decrypt(ciphertext, decrypted);
        decode();
    }
    void decode() {
        if (rings->batch)
            rings->batch->decode(decrypted, decoded_integers);
        else
            rings->encoder->decode(decrypted, decoded);
    }

    worker_set_t set;
    std::vector<double> values, decoded;
    std::vector<int64_t> integers, decoded_integers;
    std::optional<Rings> rings, other_rings;
    std::optional<Keys> keys;
    std::optional<seal::Encryptor> encryptor;
    std::optional<seal::Decryptor> decryptor;
    seal::PublicKey other_public;
    seal::Plaintext plain, decrypted;
    seal::Ciphertext fresh, low, loaded;
    std::optional<seal::Serializable<seal::Ciphertext>> seeded;
    std::vector<seal::seal_byte> file;
};

const std::map<std::string, void (Client::*)()> CLIENT_OPERATIONS = {
    {"session", &Client::session},
    {"context", &Client::context},
    {"keygen", &Client::keygen},
    {"evaluation_keys", &Client::evaluation_keys},
    {"encode", &Client::encode},
    {"encode_encrypt_pk", &Client::encode_encrypt_pk},
    {"encode_encrypt_sk_seeded", &Client::encode_encrypt_sk_seeded},
    {"decrypt_decode_1limb", &Client::decrypt_decode_1limb},
    {"decrypt_decode", &Client::decrypt_decode_full},
    {"decrypt_decode_full", &Client::decrypt_decode_full},
    {"save_load_seeded", &Client::save_load_seeded},
};

// HEXL's transform of one limb. Both factors are 1: reduced in, reduced out, as Ringside's.
class Transform {
  public:
    Transform(std::size_t n, uint64_t q) : ntt(n, q), words(n) { worker_words(words.data(), n, q); }
    void forward() { ntt.ComputeForward(words.data(), words.data(), 1, 1); }
    void inverse() { ntt.ComputeInverse(words.data(), words.data(), 1, 1); }

    // Digest of the transform of the words, which are left as they were.
    uint64_t check(uint64_t digest) {
        const std::vector<uint64_t> before = words;
        forward();
        digest = worker_digest(digest, words.data(), words.size());
        inverse();
        if (words != before) throw std::logic_error("the inverse transform does not undo the forward one");
        return digest;
    }

  private:
    intel::hexl::NTT ntt;
    std::vector<uint64_t> words;
};

std::unique_ptr<Client> client;
std::map<unsigned, Transform> transforms; // by bits of the modulus

// What the timed call does.
Transform *transform;
void (Client::*operation)();

int call_forward() {
    transform->forward();
    return 0;
}

int call_inverse() {
    transform->inverse();
    return 0;
}

int call_client() {
    (*client.*operation)();
    return 0;
}

void start(const worker_set_t &set) {
    client = std::make_unique<Client>(set);
    const auto features = cpu_features::GetX86Info().features;
    const bool switched_off = getenv("HEXL_DISABLE_AVX512DQ") || getenv("HEXL_DISABLE_AVX512IFMA");
    printf("{\"version\": \"SEAL %s, Intel HEXL %s\", \"compiler\": \"%s\", \"noise\": \"centred binomial\", ", SEAL_VERSION,
           HEXL_VERSION, __VERSION__);
    printf("\"hexl\": \"compiled in, %s, %s%s\"}\n", features.avx512dq && features.avx512vl ? "AVX512-DQ" : "no AVX512-DQ",
           features.avx512ifma ? "AVX512-IFMA" : "no AVX512-IFMA", switched_off ? ", switched off by the environment" : "");
}

void answer(const worker_request_t &request, const worker_set_t &set) {
    const std::string op = request.op;
    const std::string direction = op.substr(0, op.rfind('_'));
    if (direction == "ntt_forward" || direction == "ntt_inverse") {
        const auto bits = static_cast<unsigned>(std::stoul(op.substr(op.rfind('_') + 1)));
        for (uint64_t i = 0; i < set.modulus_count; i++) {
            if (seal::Modulus(set.moduli[i]).bit_count() == static_cast<int>(bits))
                transforms.try_emplace(bits, set.n, set.moduli[i]);
        }
        transform = &transforms.at(bits);
        worker_time(direction == "ntt_forward" ? call_forward : call_inverse, &request, 0);
    } else if (op == "check_ntt") {
        uint64_t digest = WORKER_DIGEST_START;
        for (uint64_t i = 0; i < set.modulus_count; i++) digest = Transform(set.n, set.moduli[i]).check(digest);
        printf("{\"value\": 0, \"digest\": \"%016llx\"}\n", static_cast<unsigned long long>(digest));
    } else if (op == "check") {
        client->prepare();
        printf("{\"value\": %.17g}\n", client->check());
    } else if (CLIENT_OPERATIONS.count(op)) {
        if (op != "session") client->prepare();
        operation = CLIENT_OPERATIONS.at(op);
        worker_time(call_client, &request, op == "save_load_seeded" ? client->file_bytes : 0);
    } else {
        worker_say("absent", "SEAL has no such operation");
    }
}

} // namespace

int main() {
    worker_request_t request;
    worker_set_t set = {};
    while (worker_read(&request)) {
        try {
            if (std::string(request.op) == "start") {
                set = request.set;
                start(set);
            } else {
                answer(request, set);
            }
        } catch (const std::exception &error) {
            worker_say("error", error.what());
        }
        fflush(stdout);
    }
    return 0;
}
