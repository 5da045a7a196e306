// SPDX-License-Identifier: Apache-2.0

// Package ringside is the client side of CKKS, BFV and BGV, with Microsoft SEAL's files: a thin layer over Ringside's C
// library, which pkg-config finds. Close gives memory back; that of a secret key is wiped first.
package ringside

/*
#cgo pkg-config: ringside
#include <ringside/ringside.h>
#include <stdlib.h>
*/
import "C"

import (
	"runtime"
	"unsafe"
)

// Error is a status code of the library.
type Error uint32

// Error is the code's name and a sentence on what is wrong.
func (e Error) Error() string {
	return e.Name() + ": " + C.GoString(C.rs_status_message(C.rs_status_t(e)))
}

// Name is "RS_ERR_SET", for example.
func (e Error) Name() string { return C.GoString(C.rs_status_name(C.rs_status_t(e))) }

func check(status C.rs_status_t) error {
	if status == C.RS_OK {
		return nil
	}
	return Error(status)
}

// Version is the library's.
func Version() string { return C.GoString(C.rs_version()) }

// Scheme is one of SEAL's numbers.
type Scheme uint32

const (
	BFV  Scheme = C.RS_SCHEME_BFV
	CKKS Scheme = C.RS_SCHEME_CKKS
	BGV  Scheme = C.RS_SCHEME_BGV
)

// Params are a ring's degree and moduli, of at least 128 bits of security by the library's tables.
type Params struct{ raw C.rs_params_t }

// Named is a set of params.h: lee-12 to lee-16, bfv-12 to bfv-15 and others.
func Named(name string) (*Params, error) {
	text := C.CString(name)
	defer C.free(unsafe.Pointer(text))
	asked := C.rs_params_request_t{name: text}
	return initParams(&asked)
}

// FromBits is SEAL's CoeffModulus::Create(n, bits), and in BFV and BGV PlainModulus::Batching(n, plainBits), which is 0
// for CKKS.
func FromBits(scheme Scheme, n int, bits []uint32, plainBits int) (*Params, error) {
	var pin runtime.Pinner
	defer pin.Unpin()
	asked := C.rs_params_request_t{scheme: C.uint32_t(scheme), n: C.uint32_t(n), bits: (*C.uint32_t)(first(&pin, bits)),
		limb_count: C.uint32_t(len(bits)), plain_bits: C.uint32_t(plainBits)}
	return initParams(&asked)
}

func initParams(asked *C.rs_params_request_t) (*Params, error) {
	made := new(Params)
	asked.size = C.uint32_t(unsafe.Sizeof(*asked))
	return made, check(C.rs_params_init(&made.raw, asked))
}

// N is the ring's degree.
func (p *Params) N() int { return 1 << p.raw.log_n }

// Scheme is what the parameters are for.
func (p *Params) Scheme() Scheme { return Scheme(p.raw.scheme) }

// Moduli are the primes, the special one last.
func (p *Params) Moduli() []uint64 {
	found := make([]uint64, p.raw.limb_count)
	for i := range found {
		found[i] = uint64(p.raw.moduli[i])
	}
	return found
}

// first is the address of a slice's memory, or nil, pinned for as long as C has it.
func first[T any](pin *runtime.Pinner, slice []T) *T {
	if len(slice) == 0 {
		return nil
	}
	return pinned(pin, &slice[0])
}

func pinned[T any](pin *runtime.Pinner, at *T) *T {
	pin.Pin(at)
	return at
}

// room is a workspace of C's.
func room(bytes C.size_t) C.rs_memory_t { return C.rs_memory_t{p: C.calloc(bytes+1, 1), n: bytes} }

// Context has the tables of a parameter set. It is never changed: goroutines share it. Objects of another one are
// refused (RS_ERR_MISMATCH).
type Context struct {
	raw    *C.rs_context_t
	memory C.rs_memory_t
	params Params
}

// NewContext is to be closed.
func NewContext(params *Params) (*Context, error) {
	made := &Context{params: *params}
	var pin runtime.Pinner
	defer pin.Unpin()
	set := pinned(&pin, &made.params.raw)
	made.memory = room(C.rs_context_size(set))
	if made.memory.p == nil {
		return nil, Error(C.RS_ERR_NO_MEMORY)
	}
	asked := C.rs_context_request_t{params: set, memory: made.memory}
	asked.size = C.uint32_t(unsafe.Sizeof(asked))
	if err := check(C.rs_context_init(&made.raw, &asked)); err != nil {
		made.Close()
		return nil, err
	}
	runtime.SetFinalizer(made, (*Context).Close)
	return made, nil
}

// Close may be called more than once; the context cannot be used after it.
func (c *Context) Close() {
	C.free(c.memory.p)
	*c = Context{}
	runtime.SetFinalizer(c, nil)
}

// Params are the context's.
func (c *Context) Params() *Params { return &c.params }

// Coefficients turns the residues of one limb from the library's NTT form, in place.
func (c *Context) Coefficients(limb int, words []uint64) error {
	plan := C.rs_context_plan(c.raw, C.uint32_t(limb))
	if plan == nil || len(words) != c.params.N() {
		return Error(C.RS_ERR_LEVEL)
	}
	C.rs_plan_inverse(plan, (*C.uint64_t)(&words[0]))
	runtime.KeepAlive(c)
	return nil
}

// SecretKey is to be closed, which wipes it.
type SecretKey struct {
	raw   C.rs_secret_key_t
	bytes C.size_t
}

func (c *Context) newKey() (*SecretKey, error) {
	key := &SecretKey{bytes: C.size_t(len(c.params.Moduli())*c.params.N()) * 8}
	key.raw.ntt = (*C.uint64_t)(C.calloc(key.bytes, 1)) // not where the garbage collector could copy it
	if key.raw.ntt == nil {
		return nil, Error(C.RS_ERR_NO_MEMORY)
	}
	runtime.SetFinalizer(key, (*SecretKey).Close)
	return key, nil
}

// GenerateKey draws from the operating system.
func (c *Context) GenerateKey() (*SecretKey, error) {
	key, err := c.newKey()
	if err != nil {
		return nil, err
	}
	var rng C.rs_rng_t
	C.rs_rng_os(&rng)
	if err = check(C.rs_keygen_secret(c.raw, &key.raw, &rng)); err != nil {
		key.Close()
		return nil, err
	}
	return key, nil
}

// release gives memory back. A test looks at it before.
var release = func(at unsafe.Pointer, _ int) { C.free(at) }

// Close may be called more than once; the key is no key after it.
func (k *SecretKey) Close() {
	if k.raw.ntt != nil {
		C.rs_zeroize(unsafe.Pointer(k.raw.ntt), k.bytes)
		release(unsafe.Pointer(k.raw.ntt), int(k.bytes))
	}
	*k = SecretKey{}
	runtime.SetFinalizer(k, nil)
}

// Ciphertext is also a public key, where a function says so.
type Ciphertext struct {
	raw   C.rs_ciphertext_t // without its words
	words []uint64
}

// PublicKey encrypts and does not decrypt.
type PublicKey struct{ Ciphertext }

// Scale is what CKKS's values are multiplied by.
func (ct *Ciphertext) Scale() float64 { return float64(ct.raw.scale) }

// LimbCount is how many moduli are left.
func (ct *Ciphertext) LimbCount() int { return int(ct.raw.limb_count) }

// Limb is a copy of one polynomial modulo one prime, in NTT form, but in BFV coefficients. RS_ERR_SEEDED: half of the
// ciphertext is a seed.
func (ct *Ciphertext) Limb(poly, limb int) ([]uint64, error) {
	count, limbs := int(ct.raw.poly_count), int(ct.raw.limb_count)
	if ct.raw.seeded != 0 {
		return nil, Error(C.RS_ERR_SEEDED)
	}
	if poly < 0 || poly >= count || limb < 0 || limb >= limbs {
		return nil, Error(C.RS_ERR_LEVEL)
	}
	n := len(ct.words) / (count * limbs)
	at := (poly*limbs + limb) * n
	return append([]uint64(nil), ct.words[at:at+n]...), nil
}

// view is the descriptor with the words, pinned.
func (ct *Ciphertext) view(pin *runtime.Pinner) *C.rs_ciphertext_t {
	ct.raw.data = (*C.uint64_t)(first(pin, ct.words))
	return pinned(pin, &ct.raw)
}

func (c *Context) newCiphertext(ct *Ciphertext, limbs, seeded C.uint32_t) {
	ct.raw = C.rs_ciphertext_t{poly_count: 2, limb_count: limbs, seeded: seeded}
	ct.words = make([]uint64, C.rs_ciphertext_words(c.raw, 2, limbs, seeded))
}

// PublicKey of a secret key.
func (c *Context) PublicKey(key *SecretKey) (*PublicKey, error) {
	var pin runtime.Pinner
	defer pin.Unpin()
	made := new(PublicKey)
	c.newCiphertext(&made.Ciphertext, c.params.raw.limb_count, 0)
	asked := C.rs_keygen_request_t{kind: C.RS_KEY_PUBLIC, context: c.raw, secret_key: pinned(&pin, &key.raw),
		key: made.view(&pin), rng: pinned(&pin, new(C.rs_rng_t))}
	asked.size = C.uint32_t(unsafe.Sizeof(asked))
	C.rs_rng_os(asked.rng)
	asked.workspace = room(C.rs_keygen_workspace(&asked))
	defer C.free(asked.workspace.p)
	return made, check(C.rs_keygen(&asked))
}

// Encryptor is *SecretKey, by which half of the ciphertext is a seed, or *PublicKey.
type Encryptor interface {
	into(*C.rs_encrypt_request_t, *runtime.Pinner)
}

func (k *SecretKey) into(asked *C.rs_encrypt_request_t, pin *runtime.Pinner) {
	asked.secret_key, asked.seeded = pinned(pin, &k.raw), 1
}

func (k *PublicKey) into(asked *C.rs_encrypt_request_t, pin *runtime.Pinner) {
	asked.public_key, asked.kind = k.view(pin), C.RS_ENCRYPT_PK
}

// Value is float64 in CKKS, and int64 from -floor(t/2) to floor((t-1)/2) in BFV and BGV; another one is RS_ERR_SCHEME.
type Value interface{ float64 | int64 }

func checkValues[V Value](c *Context) error {
	_, isReal := any(*new(V)).(float64)
	if isReal != (c.params.Scheme() == CKKS) {
		return Error(C.RS_ERR_SCHEME)
	}
	return nil
}

// Encrypt puts values into slots, and zeros into the others. scale: 0 in BFV and BGV.
func Encrypt[V Value](c *Context, key Encryptor, values []V, scale float64) (*Ciphertext, error) {
	if err := checkValues[V](c); err != nil {
		return nil, err
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	asked := C.rs_encrypt_request_t{context: c.raw, count: 1, rng: pinned(&pin, new(C.rs_rng_t))}
	asked.size = C.uint32_t(unsafe.Sizeof(asked))
	C.rs_rng_os(asked.rng)
	key.into(&asked, &pin)
	made := new(Ciphertext)
	c.newCiphertext(made, C.rs_params_data_limbs(&c.params.raw), asked.seeded)
	asked.items = pinned(&pin, &C.rs_encrypt_item_t{values: unsafe.Pointer(first(&pin, values)),
		count: C.uint32_t(len(values)), scale: C.double(scale), ciphertext: made.view(&pin)})
	asked.workspace = room(C.rs_encrypt_workspace(&asked))
	defer C.free(asked.workspace.p)
	if err := check(C.rs_encrypt(&asked)); err != nil {
		return nil, err
	}
	return made, nil
}

// Decrypt gives the first count values.
func Decrypt[V Value](c *Context, key *SecretKey, ct *Ciphertext, count int) ([]V, error) {
	if err := checkValues[V](c); err != nil {
		return nil, err
	}
	if count < 0 || count > c.params.N() {
		return nil, Error(C.RS_ERR_VALUE_COUNT)
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	values := make([]V, count)
	item := C.rs_decrypt_item_t{ciphertext: ct.view(&pin), values: unsafe.Pointer(first(&pin, values)),
		count: C.uint32_t(count)}
	asked := C.rs_decrypt_request_t{context: c.raw, secret_key: pinned(&pin, &key.raw), items: pinned(&pin, &item),
		count: 1}
	asked.size = C.uint32_t(unsafe.Sizeof(asked))
	asked.workspace = room(C.rs_decrypt_workspace(&asked))
	defer C.free(asked.workspace.p)
	if err := check(C.rs_decrypt(&asked)); err != nil {
		return nil, err
	}
	return values, nil
}
