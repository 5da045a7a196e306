// SPDX-License-Identifier: Apache-2.0

// Lattigo as judge and server, one JSON request a line, one JSON answer a line. Every object is a file of its own format. With a plain modulus T
// the package is bgv, else ckks.
package main

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"

	"github.com/tuneinsight/lattigo/v6/core/rlwe"
	"github.com/tuneinsight/lattigo/v6/schemes/bgv"
	"github.com/tuneinsight/lattigo/v6/schemes/ckks"
	"github.com/tuneinsight/lattigo/v6/utils/bignum"
)

type request struct {
	Do, Params, Secret, Public, Evaluation, Ciphertext, Values, Out string
	Plan, UpperParams, Upper                                        string // for derived keys
	LogN, LogScale, LogSlots, Level, Steps                          int    // LogSlots: 0: all
	Q, P                                                            []uint64
	LogQ, LogP                                                      []int
	Rotations                                                       []int
	Scale                                                           float64
	T                                                               uint64
	Invariant                                                       bool // the evaluator is BFV's
}

// What evaluators of both packages do.
type evaluator interface {
	MulRelinNew(*rlwe.Ciphertext, rlwe.Operand) (*rlwe.Ciphertext, error)
	MulNew(*rlwe.Ciphertext, rlwe.Operand) (*rlwe.Ciphertext, error)
	Add(*rlwe.Ciphertext, rlwe.Operand, *rlwe.Ciphertext) error
	Mul(*rlwe.Ciphertext, rlwe.Operand, *rlwe.Ciphertext) error
	Rescale(op0, opOut *rlwe.Ciphertext) error
	DropLevel(*rlwe.Ciphertext, int)
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

// complex128 of ckks, uint64 of bgv.
func readValues[V any](path string) ([]V, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	values := make([]V, len(raw)/binary.Size(*new(V)))
	_, err = binary.Decode(raw, binary.LittleEndian, values)
	return values, err
}

func writeValues(path string, values any) error {
	raw, err := binary.Append(nil, binary.LittleEndian, values)
	if err != nil {
		return err
	}
	return os.WriteFile(path, raw, 0600)
}

// Its own parameters, and keys of its own making.
func create(asked request) error {
	if asked.T != 0 {
		params, err := bgv.NewParametersFromLiteral(bgv.ParametersLiteral{LogN: asked.LogN, Q: asked.Q, P: asked.P,
			LogQ: asked.LogQ, LogP: asked.LogP, PlaintextModulus: asked.T})
		if err != nil {
			return err
		}
		return createKeys(params, params.Parameters, asked)
	}
	literal := ckks.ParametersLiteral{LogN: asked.LogN, Q: asked.Q, P: asked.P, LogQ: asked.LogQ, LogP: asked.LogP,
		LogDefaultScale: asked.LogScale}
	params, err := ckks.NewParametersFromLiteral(literal)
	if err != nil {
		return err
	}
	return createKeys(params, params.Parameters, asked)
}

func createKeys(whole interface{ MarshalBinary() ([]byte, error) }, params rlwe.Parameters, asked request) error {
	if err := store(asked.Params, whole); err != nil {
		return err
	}
	kgen := rlwe.NewKeyGenerator(params)
	sk, pk := kgen.GenKeyPairNew()
	if err := store(asked.Secret, sk); err != nil {
		return err
	}
	if err := store(asked.Public, pk); err != nil || asked.Evaluation == "" {
		return err
	}
	elements := []uint64{}
	for _, steps := range asked.Rotations {
		elements = append(elements, galois(params, steps))
	}
	return store(asked.Evaluation, rlwe.NewMemEvaluationKeySet(kgen.GenRelinearizationKeyNew(sk), kgen.GenGaloisKeysNew(elements, sk)...))
}

// 0 steps stand for complex conjugation, in bgv for the exchange of rows.
func galois(params rlwe.Parameters, steps int) uint64 {
	if steps == 0 {
		return params.GaloisElementOrderTwoOrthogonalSubgroup()
	}
	return params.GaloisElement(steps)
}

func encrypt(provider rlwe.ParameterProvider, asked request) (err error) {
	var plain *rlwe.Plaintext
	switch params := provider.(type) {
	case ckks.Parameters:
		values, err := readValues[complex128](asked.Values)
		if err != nil {
			return err
		}
		plain = ckks.NewPlaintext(params, asked.Level)
		plain.Scale = rlwe.NewScale(asked.Scale)
		if asked.LogSlots != 0 {
			plain.LogDimensions.Cols = asked.LogSlots
		}
		err = ckks.NewEncoder(params).Encode(values, plain)
	case bgv.Parameters:
		values, err := readValues[uint64](asked.Values)
		if err != nil {
			return err
		}
		plain = bgv.NewPlaintext(params, asked.Level)
		plain.Scale = params.NewScale(asked.Scale)
		err = bgv.NewEncoder(params).Encode(values, plain)
	}
	if err != nil {
		return err
	}
	pk := new(rlwe.PublicKey)
	if err = load(asked.Public, pk); err != nil {
		return err
	}
	ct, err := rlwe.NewEncryptor(provider, pk).EncryptNew(plain)
	if err != nil {
		return err
	}
	return store(asked.Out, ct)
}

func decrypt(provider rlwe.ParameterProvider, asked request) (err error) {
	sk, ct := new(rlwe.SecretKey), new(rlwe.Ciphertext)
	if err = load(asked.Secret, sk); err != nil {
		return err
	}
	if err = load(asked.Ciphertext, ct); err != nil {
		return err
	}
	plain := rlwe.NewDecryptor(provider, sk).DecryptNew(ct)
	var values any
	switch params := provider.(type) {
	case ckks.Parameters:
		found := make([]complex128, params.MaxSlots())
		values, err = found, ckks.NewEncoder(params).Decode(plain, found)
	case bgv.Parameters:
		found := make([]uint64, params.MaxSlots())
		values, err = found, bgv.NewEncoder(params).Decode(plain, found)
	}
	if err != nil {
		return err
	}
	return writeValues(asked.Out, values)
}

func compute(provider rlwe.ParameterProvider, asked request) error {
	keys, ct := new(rlwe.MemEvaluationKeySet), new(rlwe.Ciphertext)
	if asked.Evaluation != "" {
		if err := load(asked.Evaluation, keys); err != nil {
			return err
		}
	}
	if err := load(asked.Ciphertext, ct); err != nil {
		return err
	}
	var eval evaluator
	var rotate func(*rlwe.Ciphertext, int) (*rlwe.Ciphertext, error)
	var exchange func(*rlwe.Ciphertext) (*rlwe.Ciphertext, error)
	var err error
	switch params := provider.(type) {
	case ckks.Parameters:
		ev := ckks.NewEvaluator(params, keys)
		eval, rotate, exchange = ev, ev.RotateNew, ev.ConjugateNew
	case bgv.Parameters:
		ev := bgv.NewEvaluator(params, keys, asked.Invariant)
		eval, rotate, exchange = ev, ev.RotateColumnsNew, ev.RotateRowsNew
	}
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
			ct, err = exchange(ct)
		} else {
			ct, err = rotate(ct, asked.Steps)
		}
	case "double":
		err = eval.Add(ct, ct, ct)
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
	switch asked.Do {
	case "create":
		return create(asked)
	case "create bootstrapping", "bootstrap":
		var whole bootstrapRequest
		if err = json.Unmarshal(line, &whole); err != nil {
			return err
		}
		if asked.Do == "bootstrap" {
			return bootstrap(whole)
		}
		return createBootstrapping(whole)
	}
	var reals ckks.Parameters
	var integers bgv.Parameters
	var params rlwe.ParameterProvider
	if asked.T == 0 {
		err = load(asked.Params, &reals)
		params = reals
	} else {
		err = load(asked.Params, &integers)
		params = integers
	}
	switch {
	case err != nil:
		return err
	case asked.Do == "encrypt":
		return encrypt(params, asked)
	case asked.Do == "decrypt":
		return decrypt(params, asked)
	case asked.Do == "derive":
		keys, err := derive(reals.Parameters, asked.Plan, asked.UpperParams, asked.Upper)
		if err != nil {
			return err
		}
		return store(asked.Out, keys)
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
