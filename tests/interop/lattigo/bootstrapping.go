// SPDX-License-Identifier: Apache-2.0

// Bootstrapping of what clients made.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/tuneinsight/lattigo/v6/circuits/ckks/bootstrapping"
	"github.com/tuneinsight/lattigo/v6/core/rlwe"
	"github.com/tuneinsight/lattigo/v6/ring"
	"github.com/tuneinsight/lattigo/v6/schemes/ckks"
)

type bootstrapRequest struct {
	request
	LogCircuitN, Weight int
	Circuit             bootstrapping.ParametersLiteral // its LogP, LogSlots and so on; LogN and Xs are set here
	Ciphertexts         []string
	Half                bool // all but SlotsToCoeffs, of the first
}

// Parameters of bootstrapping as JSON, and beside them the Galois elements that they need.
func createBootstrapping(asked bootstrapRequest) error {
	residual, err := ckks.NewParametersFromLiteral(ckks.ParametersLiteral{LogN: asked.LogN, Q: asked.Q, P: asked.P, LogQ: asked.LogQ,
		LogP: asked.LogP, LogDefaultScale: asked.LogScale, LogNthRoot: asked.LogCircuitN + 1})
	if err != nil {
		return err
	}
	literal := asked.Circuit
	literal.LogN, literal.EphemeralSecretWeight, literal.Xs = &asked.LogCircuitN, &asked.Weight, ring.Ternary{P: 2.0 / 3}
	params, err := bootstrapping.NewParametersFromLiteral(residual, literal)
	if err != nil {
		return err
	}
	if err = store(asked.Params, params); err != nil {
		return err
	}
	text, err := json.Marshal(params.GaloisElements(params.BootstrappingParameters))
	if err != nil {
		return err
	}
	return os.WriteFile(asked.Params+".elements", text, 0600)
}

// The keys are the client's; with its secret key, Lattigo's own.
func bootstrappingKeys(params bootstrapping.Parameters, asked bootstrapRequest) (*bootstrapping.EvaluationKeys, error) {
	keys := new(bootstrapping.EvaluationKeys)
	if asked.Secret == "" {
		return keys, load(asked.Evaluation, keys)
	}
	secret := new(rlwe.SecretKey)
	if err := load(asked.Secret, secret); err != nil {
		return nil, err
	}
	keys, _, err := params.GenEvaluationKeys(secret)
	return keys, err
}

func bootstrap(asked bootstrapRequest) error {
	var params bootstrapping.Parameters
	if err := load(asked.Params, &params); err != nil {
		return err
	}
	keys, err := bootstrappingKeys(params, asked)
	if err != nil {
		return err
	}
	eval, err := bootstrapping.NewEvaluator(params, keys)
	if err != nil {
		return err
	}
	cts := make([]rlwe.Ciphertext, len(asked.Ciphertexts))
	for i, path := range asked.Ciphertexts {
		if err = load(path, &cts[i]); err != nil {
			return err
		}
	}
	switch {
	case asked.Half:
		cts, err = half(eval, &cts[0])
	case params.ResidualParameters.N() == params.BootstrappingParameters.N():
		cts, err = eval.BootstrapMany(cts)
	default:
		cts, err = throughLargerRing(eval, cts)
	}
	if err != nil {
		return err
	}
	for i := range cts {
		if err = store(fmt.Sprintf("%s%d", asked.Out, i), cts[i]); err != nil {
			return err
		}
	}
	return nil
}

// The values of coefficients, in bit-reversed slots of two ciphertexts, at the scale that they have.
func half(eval *bootstrapping.Evaluator, ct *rlwe.Ciphertext) ([]rlwe.Ciphertext, error) {
	ct, _, err := eval.ScaleDown(ct)
	if err != nil {
		return nil, err
	}
	if ct, err = eval.ModUp(ct); err != nil {
		return nil, err
	}
	first, second, err := eval.CoeffsToSlots(ct)
	if err != nil {
		return nil, err
	}
	found := []rlwe.Ciphertext{}
	for _, part := range []*rlwe.Ciphertext{first, second} {
		if part, err = eval.EvalMod(part); err != nil {
			return nil, err
		}
		part.Scale = rlwe.NewScale(eval.Mod1Parameters.ScalingFactor().Float64() / eval.Mod1Parameters.MessageRatio())
		eval.DropLevel(part, part.Level()-eval.ResidualParameters.MaxLevel())
		found = append(found, *part)
	}
	return found, nil
}

// Results are dropped to the one prime of the key that leads back.
func throughLargerRing(eval *bootstrapping.Evaluator, cts []rlwe.Ciphertext) ([]rlwe.Ciphertext, error) {
	cts, first, second, err := eval.PackAndSwitchN1ToN2(cts)
	if err != nil {
		return nil, err
	}
	for i := range cts {
		ct, err := eval.Evaluate(&cts[i])
		if err != nil {
			return nil, err
		}
		if ct.Level() != eval.ResidualParameters.MaxLevel() {
			return nil, fmt.Errorf("level %d", ct.Level())
		}
		eval.DropLevel(ct, ct.Level())
		cts[i] = *ct
	}
	if cts, err = eval.UnpackAndSwitchN2ToN1(cts, first, second); err != nil {
		return nil, err
	}
	for i := range cts {
		cts[i].Scale = eval.ResidualParameters.DefaultScale()
	}
	return cts, nil
}
