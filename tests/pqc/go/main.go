// SPDX-License-Identifier: Apache-2.0

// Go's crypto/mlkem behind the line protocol of tests/interop/node/noble.mjs: one JSON request per line, one JSON answer per line, bytes hexadecimal.
package main

import (
	"bufio"
	"crypto/mlkem"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
)

type request struct {
	Set, Do, Seed, Public, Ciphertext string
}

type encapsulator interface{ Encapsulate() ([]byte, []byte) }

type decapsulator interface{ Decapsulate([]byte) ([]byte, error) }

func private(set string, seed []byte) (decapsulator, []byte, error) {
	if set == "ML-KEM-768" {
		key, err := mlkem.NewDecapsulationKey768(seed)
		if err != nil {
			return nil, nil, err
		}
		return key, key.EncapsulationKey().Bytes(), nil
	}
	key, err := mlkem.NewDecapsulationKey1024(seed)
	if err != nil {
		return nil, nil, err
	}
	return key, key.EncapsulationKey().Bytes(), nil
}

func public(set string, bytes []byte) (encapsulator, error) {
	if set == "ML-KEM-768" {
		return mlkem.NewEncapsulationKey768(bytes)
	}
	return mlkem.NewEncapsulationKey1024(bytes)
}

func answer(asked request) ([]string, error) {
	seed, err := hex.DecodeString(asked.Seed)
	if err != nil {
		return nil, err
	}
	switch asked.Do {
	case "keygen":
		_, ek, err := private(asked.Set, seed)
		return []string{hex.EncodeToString(ek)}, err
	case "encaps":
		bytes, err := hex.DecodeString(asked.Public)
		if err != nil {
			return nil, err
		}
		key, err := public(asked.Set, bytes)
		if err != nil {
			return nil, err
		}
		shared, ciphertext := key.Encapsulate()
		return []string{hex.EncodeToString(shared), hex.EncodeToString(ciphertext)}, nil
	case "decaps":
		ciphertext, err := hex.DecodeString(asked.Ciphertext)
		if err != nil {
			return nil, err
		}
		key, _, err := private(asked.Set, seed)
		if err != nil {
			return nil, err
		}
		shared, err := key.Decapsulate(ciphertext)
		return []string{hex.EncodeToString(shared)}, err
	}
	return nil, fmt.Errorf("no verb %q", asked.Do)
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var asked request
		reply := map[string]any{}
		err := json.Unmarshal(lines.Bytes(), &asked)
		if err == nil {
			reply["ok"], err = answer(asked)
		}
		if err != nil {
			reply = map[string]any{"error": err.Error()}
		}
		text, _ := json.Marshal(reply)
		fmt.Println(string(text))
	}
}
