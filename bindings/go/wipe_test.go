// SPDX-License-Identifier: Apache-2.0

package ringside

import (
	"testing"
	"unsafe"
)

func TestKeysAreWipedWhenTheyAreClosed(t *testing.T) {
	set, _ := Named("lee-12")
	context, err := NewContext(set)
	if err != nil {
		t.Fatal(err)
	}
	defer context.Close()
	key, err := context.GenerateKey()
	if err != nil {
		t.Fatal(err)
	}
	bytes := unsafe.Slice((*byte)(unsafe.Pointer(key.raw.ntt)), int(key.bytes))
	count := func() (found int) {
		for _, one := range bytes {
			if one != 0 {
				found++
			}
		}
		return found
	}
	before, after, plain := count(), -1, release
	release = func(at unsafe.Pointer, length int) {
		after = count()
		plain(at, length)
	}
	defer func() { release = plain }()
	key.Close()
	if before < len(bytes)/3 || after != 0 {
		t.Errorf("%d bytes of the key before, %d after", before, after)
	}
}
