// SPDX-License-Identifier: Apache-2.0

// Rotation keys that a server derives with stock Lattigo from those that a client made (`ringside plan-keys --two-levels --target lattigo`): an
// example for servers. Needs plan.json, and tops.json and tops.bin of `ringside convert KEYS DIR --format lattigo`.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"

	"github.com/tuneinsight/lattigo/v6/core/rlwe"
	"github.com/tuneinsight/lattigo/v6/schemes/ckks"
)

// What a server needs of plan.json: for each key the client's keys that add up to its steps, in their order.
type keyPlan struct {
	Derive struct{ Wanted map[string][]int }
}

// A row of the key for no rotation: (0, P) modulo the row's prime. `upper` has P as the last prime of Q.
func trivial(upper rlwe.Parameters, row int) *rlwe.Ciphertext {
	ct := rlwe.NewCiphertext(upper, 1, upper.MaxLevel())
	ct.IsNTT = true
	q := upper.Q()
	for j := range ct.Value[1].Coeffs[row] {
		ct.Value[1].Coeffs[row][j] = q[len(q)-1] % q[row]
	}
	return ct
}

// The rows of a key, rotated by the client's keys; what several keys have in common on their way is computed once.
func rotated(eval *rlwe.Evaluator, upper rlwe.Parameters, path []int, made map[string][]*rlwe.Ciphertext) ([]*rlwe.Ciphertext, error) {
	name := fmt.Sprint(path)
	if rows, found := made[name]; found {
		return rows, nil
	}
	rows := make([]*rlwe.Ciphertext, upper.MaxLevel())
	if len(path) == 0 {
		for row := range rows {
			rows[row] = trivial(upper, row)
		}
	} else {
		last := len(path) - 1
		before, err := rotated(eval, upper, path[:last], made)
		if err != nil {
			return nil, err
		}
		for row := range rows {
			rows[row] = rlwe.NewCiphertext(upper, 1, upper.MaxLevel())
			rows[row].IsNTT = true
			if err := eval.Automorphism(before[row], galois(upper, path[last]), rows[row]); err != nil {
				return nil, err
			}
		}
	}
	made[name] = rows
	return rows, nil
}

// Lattigo's key for g leads from s to s(X^(1/g)), in Montgomery's form: rows are permuted by 1/g.
func asKey(params, upper rlwe.Parameters, rows []*rlwe.Ciphertext, steps int) *rlwe.GaloisKey {
	level, levelP := len(rows)-1, 0
	key := rlwe.NewGaloisKey(params, rlwe.EvaluationKeyParameters{LevelQ: &level, LevelP: &levelP})
	key.GaloisElement, key.NthRoot = galois(params, steps), params.RingQ().NthRoot()
	ring := upper.RingQ()
	for row, ct := range rows {
		for part := range ct.Value {
			out := ring.NewPoly()
			ring.AutomorphismNTT(ct.Value[part], params.ModInvGaloisElement(key.GaloisElement), out)
			ring.MForm(out, out)
			to := key.Value[row][0][part]
			for limb := range to.Q.Coeffs {
				copy(to.Q.Coeffs[limb], out.Coeffs[limb])
			}
			copy(to.P.Coeffs[0], out.Coeffs[len(rows)])
		}
	}
	return key
}

func derive(params rlwe.Parameters, planFile, upperFile, topsFile string) (*rlwe.MemEvaluationKeySet, error) {
	var plan keyPlan
	var upper ckks.Parameters
	tops := new(rlwe.MemEvaluationKeySet)
	text, err := os.ReadFile(planFile)
	if err == nil {
		err = json.Unmarshal(text, &plan)
	}
	if err == nil {
		err = load(upperFile, &upper)
	}
	if err == nil {
		err = load(topsFile, tops)
	}
	if err != nil {
		return nil, err
	}
	eval, made := rlwe.NewEvaluator(upper, tops), map[string][]*rlwe.Ciphertext{}
	var keys []*rlwe.GaloisKey
	for name, path := range plan.Derive.Wanted {
		steps, err := strconv.Atoi(name)
		if err != nil {
			return nil, err
		}
		rows, err := rotated(eval, upper.Parameters, path, made)
		if err != nil {
			return nil, err
		}
		keys = append(keys, asKey(params, upper.Parameters, rows, steps))
	}
	return rlwe.NewMemEvaluationKeySet(nil, keys...), nil
}
