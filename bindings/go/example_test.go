// SPDX-License-Identifier: Apache-2.0

package ringside_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	"ringside"
)

// A first ciphertext: what a server with SEAL gets is upload; what comes back, the client decrypts.
func Example() {
	params, err := ringside.Named("lee-14")
	check(err)
	context, err := ringside.NewContext(params)
	check(err)
	defer context.Close()
	key, err := context.GenerateKey()
	check(err)
	defer key.Close()
	message, err := ringside.Encrypt(context, key, []float64{21.5, -3.25}, 0x1p48)
	check(err)
	upload, err := message.SEAL(context)
	check(err)

	answer, err := context.ReadCiphertext(upload)
	check(err)
	values, err := ringside.Decrypt[float64](context, key, answer, 2)
	check(err)
	fmt.Printf("%.3f\n", values)
	// Output: [21.500 -3.250]
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

func must[T any](made T, err error) T {
	check(err)
	return made
}

func refused[T any](t *testing.T, name string, made T, err error) {
	t.Helper()
	var code ringside.Error
	if !errors.As(err, &code) || code.Name() != name {
		t.Errorf("%s was expected, not %v", name, err)
	}
}

func TestIntegersAndPublicKeys(t *testing.T) {
	exact := must(ringside.NewContext(must(ringside.FromBits(ringside.BFV, 4096, []uint32{36, 36, 37}, 20))))
	defer exact.Close()
	key := must(exact.GenerateKey())
	defer key.Close()
	public := must(exact.PublicKey(key))
	for _, encryptor := range []ringside.Encryptor{key, public} {
		found := must(ringside.Decrypt[int64](exact, key, must(ringside.Encrypt(exact, encryptor, []int64{5, -9}, 0)), 3))
		if found[0] != 5 || found[1] != -9 || found[2] != 0 {
			t.Error(found)
		}
	}
	again := must(exact.ReadKey(must(key.SEAL(exact))))
	defer again.Close()
	one := must(ringside.Encrypt(exact, public, []int64{7}, 0))
	if found := must(ringside.Decrypt[int64](exact, again, one, 1)); found[0] != 7 {
		t.Error(found)
	}
	if _, err := one.Limb(1, one.LimbCount()-1); err != nil {
		t.Error(err)
	}
}

func TestBadInputIsAnError(t *testing.T) {
	context := must(ringside.NewContext(must(ringside.Named("lee-12"))))
	defer context.Close()
	key := must(context.GenerateKey())
	message := must(ringside.Encrypt(context, key, []float64{1}, 0x1p30))
	file := must(message.SEAL(context))
	made, err := ringside.Named("lee-99")
	refused(t, "RS_ERR_SET", made, err)
	made, err = ringside.FromBits(ringside.CKKS, 4096, []uint32{60, 60, 60}, 0)
	refused(t, "RS_ERR_INSECURE", made, err)
	ct, err := ringside.Encrypt(context, key, []float64{math.NaN()}, 0x1p30)
	refused(t, "RS_ERR_NOT_FINITE", ct, err)
	ct, err = ringside.Encrypt(context, key, make([]float64, 2049), 0x1p30)
	refused(t, "RS_ERR_VALUE_COUNT", ct, err)
	ct, err = ringside.Encrypt(context, key, []int64{1}, 0)
	refused(t, "RS_ERR_SCHEME", ct, err)
	ct, err = context.ReadCiphertext(file[:len(file)-1])
	refused(t, "RS_ERR_TRUNCATED", ct, err)
	ct, err = context.ReadCiphertext(append(file, 0))
	refused(t, "RS_ERR_TRAILING", ct, err)
	ct, err = context.ReadCiphertext(nil)
	refused(t, "RS_ERR_TRUNCATED", ct, err)
	other, err := context.ReadKey(file)
	refused(t, "RS_ERR_KIND", other, err)
	limb, err := message.Limb(1, 0)
	refused(t, "RS_ERR_SEEDED", limb, err)
	values, err := ringside.Decrypt[float64](context, key, message, -1)
	refused(t, "RS_ERR_VALUE_COUNT", values, err)
	key.Close()
	key.Close()
	values, err = ringside.Decrypt[float64](context, key, message, 1)
	refused(t, "RS_ERR_NULL", values, err)
	ct, err = ringside.Encrypt(context, key, []float64{1}, 0x1p30)
	refused(t, "RS_ERR_NULL", ct, err)
}
