// SPDX-License-Identifier: Apache-2.0

// What a server of generated code needs beside it: keys and arguments from files, answers to files.
package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tuneinsight/lattigo/v6/core/rlwe"
	"github.com/tuneinsight/lattigo/v6/schemes/bgv"
	"github.com/tuneinsight/lattigo/v6/schemes/ckks"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func read(folder, name string, object interface{ UnmarshalBinary([]byte) error }) {
	if err := object.UnmarshalBinary(must(os.ReadFile(filepath.Join(folder, name)))); err != nil {
		panic(err)
	}
}

func keys(folder string) rlwe.EvaluationKeySet {
	set := rlwe.NewMemEvaluationKeySet(nil)
	if _, err := os.Stat(filepath.Join(folder, "evaluation.bin")); err == nil {
		read(folder, "evaluation.bin", set)
	}
	return set
}

func ckksServer(folder string) (*ckks.Evaluator, ckks.Parameters, *ckks.Encoder) {
	var parameters ckks.Parameters
	read(folder, "params.json", &parameters)
	return ckks.NewEvaluator(parameters, keys(folder)), parameters, ckks.NewEncoder(parameters)
}

func bgvServer(folder string, invariant bool) (*bgv.Evaluator, bgv.Parameters, *bgv.Encoder) {
	var parameters bgv.Parameters
	read(folder, "params.json", &parameters)
	return bgv.NewEvaluator(parameters, keys(folder), invariant), parameters, bgv.NewEncoder(parameters)
}

func given(folder, name string, count int) []*rlwe.Ciphertext {
	found := make([]*rlwe.Ciphertext, count)
	for index := range found {
		found[index] = new(rlwe.Ciphertext)
		read(folder, fmt.Sprintf("%s-%d.lattigo", name, index), found[index])
	}
	return found
}

func floats(folder, name string) []float32 {
	raw := must(os.ReadFile(filepath.Join(folder, name)))
	values := make([]float32, len(raw)/4)
	must(binary.Decode(raw, binary.LittleEndian, values))
	return values
}

func answer(folder string, results ...[]*rlwe.Ciphertext) {
	for number, result := range results {
		for index, ciphertext := range result {
			name := fmt.Sprintf("result%d-%d.lattigo", number, index)
			if err := os.WriteFile(filepath.Join(folder, name), must(ciphertext.MarshalBinary()), 0o600); err != nil {
				panic(err)
			}
		}
	}
}
