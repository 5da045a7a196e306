// SPDX-License-Identifier: Apache-2.0

// Lattigo, with results in objects that are used again where its API lets one. Its ciphertexts have no seeded form.
// Protocol: tests/bench/peers/__init__.py.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"github.com/tuneinsight/lattigo/v6/core/rlwe"
	"github.com/tuneinsight/lattigo/v6/ring"
	"github.com/tuneinsight/lattigo/v6/schemes/bgv"
	"github.com/tuneinsight/lattigo/v6/schemes/ckks"
)

type request struct {
	Op      string   `json:"op"`
	Runs    int      `json:"runs"`
	Batch   int      `json:"batch"`
	N       int      `json:"n"`
	Moduli  []uint64 `json:"moduli"`
	Special int      `json:"special"`
	Scale   float64  `json:"scale"`
	T       uint64   `json:"plain_modulus"`
}

type reply map[string]any

type client struct {
	set              request
	literal          ckks.ParametersLiteral
	params           ckks.Parameters
	encoder          *ckks.Encoder
	generator        *rlwe.KeyGenerator
	secret           *rlwe.SecretKey
	public           *rlwe.PublicKey
	encryptor        *rlwe.Encryptor
	decryptor        *rlwe.Decryptor
	plain, decrypted *rlwe.Plaintext
	fresh, low       *rlwe.Ciphertext
	lowPlain         *rlwe.Plaintext
	values, decoded  []float64
	transforms       map[int]*transform
}

type transform struct {
	ring *ring.Ring
	poly ring.Poly
}

// Processor time of the whole process, the garbage collector's threads included.
func cpuTime() float64 {
	const processCPUTime = 2
	var now syscall.Timespec
	syscall.Syscall(syscall.SYS_CLOCK_GETTIME, processCPUTime, uintptr(unsafe.Pointer(&now)), 0)
	return float64(now.Nano())
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

func measure(r request, call func()) reply {
	cpu, wall := make([]float64, max(r.Runs, 1)), make([]float64, max(r.Runs, 1))
	batch := max(r.Batch, 1)
	for run := range cpu {
		wallStart, cpuStart := time.Now(), cpuTime()
		for range batch {
			call()
		}
		cpu[run] = (cpuTime() - cpuStart) / float64(batch)
		wall[run] = float64(time.Since(wallStart).Nanoseconds()) / float64(batch)
	}
	return reply{"bytes": 0, "cpu": cpu, "wall": wall}
}

func newClient(r request) *client {
	c := &client{set: r, values: make([]float64, r.N/2), decoded: make([]float64, r.N/2), transforms: map[int]*transform{}}
	for i := range c.values {
		c.values[i] = float64(uint32(i)*2654435761)/2147483648 - 1
	}
	data := len(r.Moduli) - r.Special
	c.literal = ckks.ParametersLiteral{
		LogN: bits.Len(uint(r.N)) - 1, Q: r.Moduli[:data], P: r.Moduli[data:], LogDefaultScale: int(math.Log2(r.Scale)),
	}
	return c
}

func (c *client) makeContext() {
	var err error
	c.params, err = ckks.NewParametersFromLiteral(c.literal)
	must(err)
	c.encoder = ckks.NewEncoder(c.params)
}

func (c *client) makeKeys() {
	c.generator = rlwe.NewKeyGenerator(c.params)
	c.secret, c.public = c.generator.GenKeyPairNew()
}

func (c *client) open() {
	c.makeContext()
	c.makeKeys()
	c.encryptor = rlwe.NewEncryptor(c.params, c.public)
	c.decryptor = rlwe.NewDecryptor(c.params, c.secret)
	c.plain = ckks.NewPlaintext(c.params, c.params.MaxLevel())
	c.decrypted = ckks.NewPlaintext(c.params, c.params.MaxLevel())
	c.fresh = ckks.NewCiphertext(c.params, 1, c.params.MaxLevel())
	c.encrypt()
}

func (c *client) prepare() {
	if c.low != nil {
		return
	}
	c.open()
	c.lowPlain = ckks.NewPlaintext(c.params, 0)
	c.low = ckks.NewCiphertext(c.params, 1, 0)
	must(c.encoder.Encode(c.values, c.lowPlain))
	must(c.encryptor.Encrypt(c.lowPlain, c.low))
}

func (c *client) encode() { must(c.encoder.Encode(c.values, c.plain)) }

func (c *client) encrypt() {
	c.encode()
	must(c.encryptor.Encrypt(c.plain, c.fresh))
}

func (c *client) decrypt(ciphertext *rlwe.Ciphertext, plain *rlwe.Plaintext) {
	c.decryptor.Decrypt(ciphertext, plain)
	must(c.encoder.Decode(plain, c.decoded))
}

func (c *client) evaluationKeys() {
	c.generator.GenRelinearizationKeyNew(c.secret)
	elements := []uint64{c.params.GaloisElementForComplexConjugation()}
	for step := 1; step < c.set.N/2; step *= 2 {
		elements = append(elements, c.params.GaloisElement(step))
		if step < c.set.N/4 { // beyond, left and right are the same
			elements = append(elements, c.params.GaloisElement(-step))
		}
	}
	for _, element := range elements {
		c.generator.GenGaloisKeyNew(element, c.secret)
	}
}

func (c *client) check() reply {
	largest := 0.0
	for _, way := range []func(){func() { c.decrypt(c.fresh, c.decrypted) }, func() { c.decrypt(c.low, c.lowPlain) }} {
		way()
		for i, value := range c.values {
			largest = max(largest, math.Abs(c.decoded[i]-value))
		}
	}
	return reply{"value": largest}
}

func (c *client) transformOf(wanted int) *transform {
	for _, q := range c.set.Moduli {
		if c.transforms[wanted] == nil && bits.Len64(q) == wanted {
			r, err := ring.NewRing(c.set.N, []uint64{q})
			must(err)
			t := &transform{r, r.NewPoly()}
			for i := range t.poly.Coeffs[0] {
				t.poly.Coeffs[0][i] = uint64(i+1) * 0x9e3779b97f4a7c15 % q
			}
			c.transforms[wanted] = t
		}
	}
	return c.transforms[wanted]
}

func (c *client) checkNTT() reply {
	for _, q := range c.set.Moduli {
		t := c.transformOf(bits.Len64(q))
		before := t.poly.CopyNew()
		t.ring.NTT(t.poly, t.poly)
		if t.ring.Equal(t.poly, *before) {
			return reply{"error": "the forward transform did nothing"}
		}
		t.ring.INTT(t.poly, t.poly)
		if !t.ring.Equal(t.poly, *before) {
			return reply{"error": "the inverse transform does not undo the forward one"}
		}
	}
	return reply{"value": 0}
}

// Integers, in its one scheme for BFV and BGV: what differs is evaluation.
type exactClient struct {
	set              request
	encoder          *bgv.Encoder
	encryptor        *rlwe.Encryptor
	decryptor        *rlwe.Decryptor
	plain, decrypted *rlwe.Plaintext
	fresh            *rlwe.Ciphertext
	values, decoded  []int64
}

func (c *exactClient) open() {
	data, n := len(c.set.Moduli)-c.set.Special, c.set.N
	literal := bgv.ParametersLiteral{LogN: bits.Len(uint(n)) - 1, Q: c.set.Moduli[:data], P: c.set.Moduli[data:], PlaintextModulus: c.set.T}
	params, err := bgv.NewParametersFromLiteral(literal)
	must(err)
	secret, public := rlwe.NewKeyGenerator(params).GenKeyPairNew()
	c.encoder, c.encryptor, c.decryptor = bgv.NewEncoder(params), rlwe.NewEncryptor(params, public), rlwe.NewDecryptor(params, secret)
	c.plain, c.decrypted = bgv.NewPlaintext(params, params.MaxLevel()), bgv.NewPlaintext(params, params.MaxLevel())
	c.fresh = bgv.NewCiphertext(params, 1, params.MaxLevel())
	c.values, c.decoded = make([]int64, n), make([]int64, n)
	for i := range c.values {
		c.values[i] = int64(uint64(i+1)*0x9e3779b97f4a7c15%c.set.T) - int64(c.set.T/2)
	}
	c.encrypt()
}

func (c *exactClient) encrypt() {
	must(c.encoder.Encode(c.values, c.plain))
	must(c.encryptor.Encrypt(c.plain, c.fresh))
}

func (c *exactClient) decrypt() {
	c.decryptor.Decrypt(c.fresh, c.decrypted)
	must(c.encoder.Decode(c.decrypted, c.decoded))
}

func (c *exactClient) answer(r request) reply {
	if r.Op == "session" || c.encoder == nil {
		open := func() {
			c.open()
			c.decrypt()
		}
		if r.Op == "session" {
			return measure(r, open)
		}
		open()
	}
	operations := map[string]func(){"encode_encrypt_pk": c.encrypt, "decrypt_decode": c.decrypt}
	if call, known := operations[r.Op]; known {
		return measure(r, call)
	}
	if r.Op != "check" {
		return reply{"absent": "Lattigo has no such operation"}
	}
	c.decrypt()
	if !slices.Equal(c.values, c.decoded) {
		return reply{"value": 1}
	}
	return reply{"value": 0}
}

func (c *client) answer(r request) reply {
	if direction, wanted, found := strings.Cut(strings.TrimPrefix(r.Op, "ntt_"), "_"); found && strings.HasPrefix(r.Op, "ntt_") {
		width, err := strconv.Atoi(wanted)
		must(err)
		t := c.transformOf(width)
		if direction == "forward" {
			return measure(r, func() { t.ring.NTT(t.poly, t.poly) })
		}
		return measure(r, func() { t.ring.INTT(t.poly, t.poly) })
	}
	if r.Op == "check_ntt" {
		return c.checkNTT()
	}
	if r.Op == "session" {
		return measure(r, func() {
			c.open()
			c.decrypt(c.fresh, c.decrypted)
		})
	}
	operations := map[string]func(){
		"context": func() {
			params, err := ckks.NewParametersFromLiteral(c.literal)
			must(err)
			ckks.NewEncoder(params)
		},
		"keygen":               func() { rlwe.NewKeyGenerator(c.params).GenKeyPairNew() },
		"evaluation_keys":      c.evaluationKeys,
		"encode":               c.encode,
		"encode_encrypt_pk":    c.encrypt,
		"decrypt_decode_1limb": func() { c.decrypt(c.low, c.lowPlain) },
		"decrypt_decode_full":  func() { c.decrypt(c.fresh, c.decrypted) },
	}
	call, known := operations[r.Op]
	if !known && r.Op != "check" {
		return reply{"absent": "Lattigo has no such operation"}
	}
	c.prepare()
	if !known {
		return c.check()
	}
	return measure(r, call)
}

func safely(work func() reply) (out reply) {
	defer func() {
		if problem := recover(); problem != nil {
			out = reply{"error": fmt.Sprint(problem)}
		}
	}()
	return work()
}

func main() {
	runtime.GOMAXPROCS(1)
	lines := bufio.NewScanner(os.Stdin)
	var answer func(request) reply
	for lines.Scan() {
		var r request
		must(json.Unmarshal(lines.Bytes(), &r))
		out := safely(func() reply {
			if r.Op == "start" {
				answer = newClient(r).answer
				if r.T != 0 {
					answer = (&exactClient{set: r}).answer
				}
				return reply{"version": "Lattigo 6.2.0", "compiler": runtime.Version()}
			}
			return answer(r)
		})
		text, err := json.Marshal(out)
		must(err)
		fmt.Println(string(text))
	}
}
