// SPDX-License-Identifier: Apache-2.0

// Lattigo as judge and server, one JSON request a line, one JSON answer a line. Every object is a file of its own format.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"

	"github.com/tuneinsight/lattigo/v6/core/rlwe"
	"github.com/tuneinsight/lattigo/v6/schemes/ckks"
	"github.com/tuneinsight/lattigo/v6/utils/bignum"
)

type request struct {
	Do, Params, Secret, Public, Evaluation, Ciphertext, Values, Out string
	LogN, LogScale, Level, Steps                                    int
	Q, P                                                            []uint64
	LogQ, LogP                                                      []int
	Rotations                                                       []int
	Scale                                                           float64
}

type binaryObject interface{ UnmarshalBinary([]byte) error }

func load(path string, object binaryObject) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return object.UnmarshalBinary(data)
}

func store(path string, object interface{ MarshalBinary() ([]byte, error) }) error {
	data, err := object.MarshalBinary()
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0600)
}

func readValues(path string) ([]complex128, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	values := make([]complex128, len(raw)/16)
	for i := range values {
		re, im := binary.LittleEndian.Uint64(raw[16*i:]), binary.LittleEndian.Uint64(raw[16*i+8:])
		values[i] = complex(math.Float64frombits(re), math.Float64frombits(im))
	}
	return values, nil
}

func writeValues(path string, values []complex128) error {
	raw := make([]byte, 0, 16*len(values))
	for _, v := range values {
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(real(v)))
		raw = binary.LittleEndian.AppendUint64(raw, math.Float64bits(imag(v)))
	}
	return os.WriteFile(path, raw, 0600)
}

// Its own parameters, and keys of its own making.
func create(asked request) error {
	literal := ckks.ParametersLiteral{LogN: asked.LogN, Q: asked.Q, P: asked.P, LogQ: asked.LogQ, LogP: asked.LogP,
		LogDefaultScale: asked.LogScale}
	params, err := ckks.NewParametersFromLiteral(literal)
	if err != nil {
		return err
	}
	if err = store(asked.Params, params); err != nil {
		return err
	}
	kgen := rlwe.NewKeyGenerator(params)
	sk, pk := kgen.GenKeyPairNew()
	if err = store(asked.Secret, sk); err != nil {
		return err
	}
	if err = store(asked.Public, pk); err != nil || asked.Evaluation == "" {
		return err
	}
	elements := []uint64{}
	for _, steps := range asked.Rotations {
		elements = append(elements, galois(params, steps))
	}
	return store(asked.Evaluation, rlwe.NewMemEvaluationKeySet(kgen.GenRelinearizationKeyNew(sk), kgen.GenGaloisKeysNew(elements, sk)...))
}

// 0 steps stand for complex conjugation.
func galois(params ckks.Parameters, steps int) uint64 {
	if steps == 0 {
		return params.GaloisElementForComplexConjugation()
	}
	return params.GaloisElement(steps)
}

func encrypt(params ckks.Parameters, asked request) error {
	values, err := readValues(asked.Values)
	if err != nil {
		return err
	}
	plain := ckks.NewPlaintext(params, asked.Level)
	plain.Scale = rlwe.NewScale(asked.Scale)
	if err = ckks.NewEncoder(params).Encode(values, plain); err != nil {
		return err
	}
	pk := new(rlwe.PublicKey)
	if err = load(asked.Public, pk); err != nil {
		return err
	}
	ct, err := rlwe.NewEncryptor(params, pk).EncryptNew(plain)
	if err != nil {
		return err
	}
	return store(asked.Out, ct)
}

func decrypt(params ckks.Parameters, asked request) error {
	sk, ct := new(rlwe.SecretKey), new(rlwe.Ciphertext)
	if err := load(asked.Secret, sk); err != nil {
		return err
	}
	if err := load(asked.Ciphertext, ct); err != nil {
		return err
	}
	values := make([]complex128, params.MaxSlots())
	if err := ckks.NewEncoder(params).Decode(rlwe.NewDecryptor(params, sk).DecryptNew(ct), values); err != nil {
		return err
	}
	return writeValues(asked.Out, values)
}

func compute(params ckks.Parameters, asked request) error {
	keys, ct := new(rlwe.MemEvaluationKeySet), new(rlwe.Ciphertext)
	if asked.Evaluation != "" {
		data, err := os.ReadFile(asked.Evaluation)
		if err != nil {
			return err
		}
		if err = keys.UnmarshalBinary(data); err != nil {
			return err
		}
	}
	if err := load(asked.Ciphertext, ct); err != nil {
		return err
	}
	eval, err := ckks.NewEvaluator(params, keys), error(nil)
	switch asked.Do {
	case "square":
		ct, err = eval.MulRelinNew(ct, ct)
	case "square3": // three polynomials
		ct, err = eval.MulNew(ct, ct)
	case "rescale":
		err = eval.Rescale(ct, ct)
	case "drop":
		eval.DropLevel(ct, asked.Steps)
	case "rotate":
		if asked.Steps == 0 {
			ct, err = eval.ConjugateNew(ct)
		} else {
			ct, err = eval.RotateNew(ct, asked.Steps)
		}
	case "half":
		err = eval.Mul(ct, bignum.NewFloat(0.5, 64), ct)
	default:
		err = fmt.Errorf("unknown request %q", asked.Do)
	}
	if err != nil {
		return err
	}
	return store(asked.Out, ct)
}

func answer(line []byte) (err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("panic: %v", panicked)
		}
	}()
	var asked request
	if err = json.Unmarshal(line, &asked); err != nil {
		return err
	}
	if asked.Do == "create" {
		return create(asked)
	}
	var params ckks.Parameters
	if err = load(asked.Params, &params); err != nil {
		return err
	}
	switch asked.Do {
	case "encrypt":
		return encrypt(params, asked)
	case "decrypt":
		return decrypt(params, asked)
	}
	return compute(params, asked)
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		told := map[string]string{"ok": "done"}
		if err := answer(lines.Bytes()); err != nil {
			told = map[string]string{"error": err.Error()}
		}
		text, _ := json.Marshal(told)
		fmt.Println(string(text))
	}
}
