// SPDX-License-Identifier: Apache-2.0

// What the Go module encrypts, Lattigo decrypts and squares in the same process. The answers are the largest errors;
// the last is by another key.
package main

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"os"

	"github.com/tuneinsight/lattigo/v6/core/rlwe"
	"github.com/tuneinsight/lattigo/v6/ring"
	"github.com/tuneinsight/lattigo/v6/schemes/ckks"

	"ringside"
)

const scale = 0x1p40

func must[T any](made T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return made
}

// The last words of a file of SEAL's: those of its residues.
func words(file []byte, count int) []uint64 {
	found := make([]uint64, count)
	must(binary.Decode(file[len(file)-8*count:], binary.LittleEndian, found))
	return found
}

// Residues as Lattigo transforms them, with its own roots of unity.
func transformed(context *ringside.Context, to *ring.Ring, limb int, residues []uint64, out ring.Poly, first int) {
	if err := context.Coefficients(limb, residues); err != nil {
		panic(err)
	}
	copy(out.Coeffs[limb-first], residues)
	one := to.SubRings[limb-first]
	one.NTT(out.Coeffs[limb-first], out.Coeffs[limb-first])
}

func secretKey(context *ringside.Context, params ckks.Parameters, key *ringside.SecretKey) *rlwe.SecretKey {
	n, limbs := params.N(), params.QCount()+params.PCount()
	residues := words(must(key.SEAL(context)), n*limbs)
	theirs := rlwe.NewSecretKey(params)
	for limb := 0; limb < limbs; limb++ {
		to, out, first := params.RingQ(), theirs.Value.Q, 0
		if limb >= params.QCount() {
			to, out, first = params.RingP(), theirs.Value.P, params.QCount()
		}
		transformed(context, to, limb, residues[limb*n:(limb+1)*n], out, first)
	}
	params.RingQ().MForm(theirs.Value.Q, theirs.Value.Q)
	params.RingP().MForm(theirs.Value.P, theirs.Value.P)
	return theirs
}

func ciphertext(context *ringside.Context, params ckks.Parameters, ours *ringside.Ciphertext) *rlwe.Ciphertext {
	theirs := ckks.NewCiphertext(params, 1, params.MaxLevel())
	theirs.Scale = rlwe.NewScale(ours.Scale())
	for poly := range theirs.Value {
		for limb := 0; limb < ours.LimbCount(); limb++ {
			transformed(context, params.RingQ(), limb, must(ours.Limb(poly, limb)), theirs.Value[poly], 0)
		}
	}
	return theirs
}

// Lattigo's slot j is at the root's power 5^j, SEAL's slot i at 3^i; of real values a conjugate is as good.
func slots(n int) []int {
	at := make([]int, 2*n)
	for i, power := 0, 1; i < n/2; i, power = i+1, power*3%(2*n) {
		at[power], at[2*n-power] = i, i
	}
	found := make([]int, n/2)
	for j, power := 0, 1; j < n/2; j, power = j+1, power*5%(2*n) {
		found[j] = at[power]
	}
	return found
}

func main() {
	set := must(ringside.Named("lee-13"))
	context := must(ringside.NewContext(set))
	defer context.Close()
	moduli, n := set.Moduli(), set.N()
	last := len(moduli) - 1
	params := must(ckks.NewParametersFromLiteral(ckks.ParametersLiteral{LogN: 13, Q: moduli[:last], P: moduli[last:], LogDefaultScale: 40}))
	key, other := must(context.GenerateKey()), must(context.GenerateKey())
	defer key.Close()
	defer other.Close()
	values := make([]float64, n/2)
	for i := range values {
		values[i] = math.Sin(float64(i))
	}
	order := slots(n)
	theirs := ciphertext(context, params, must(ringside.Encrypt(context, must(context.PublicKey(key)), values, scale)))
	largest := func(key *ringside.SecretKey, ct *rlwe.Ciphertext, power int) (worst float64) {
		found := make([]complex128, n/2)
		plain := rlwe.NewDecryptor(params, secretKey(context, params, key)).DecryptNew(ct)
		if err := ckks.NewEncoder(params).Decode(plain, found); err != nil {
			panic(err)
		}
		for j, value := range found {
			worst = math.Max(worst, math.Abs(real(value)-math.Pow(values[order[j]], float64(power))))
		}
		return worst
	}
	square := must(ckks.NewEvaluator(params, nil).MulNew(theirs, theirs))
	told := map[string]float64{"fresh": largest(key, theirs, 1), "square": largest(key, square, 2), "other": largest(other, theirs, 1)}
	fmt.Println(string(must(json.Marshal(told))))
}
