// SPDX-License-Identifier: Apache-2.0

package ringside

/*
#include <ringside/ringside.h>
*/
import "C"

import (
	"runtime"
	"unsafe"
)

// written is SEAL's file of what the request names.
func written(asked *C.rs_wire_write_request_t, pin *runtime.Pinner) ([]byte, error) {
	asked.size = C.uint32_t(unsafe.Sizeof(*asked))
	file := make([]byte, C.rs_wire_bytes(asked))
	asked.sink = pinned(pin, new(C.rs_sink_t))
	state := pinned(pin, new(C.rs_memory_sink_t))
	C.rs_sink_to_memory(asked.sink, state, (*C.uint8_t)(first(pin, file)), C.size_t(len(file)))
	write := func() C.rs_status_t { return C.rs_wire_write(asked) }
	if asked.kind == C.RS_WIRE_SECRET_KEY {
		write = func() C.rs_status_t { return C.rs_wire_write_secret_key(asked) }
	}
	if err := check(write()); err != nil {
		return nil, err
	}
	return file[:state.bytes], nil
}

// reading opens a file, lets read take what is in it, and checks that nothing follows.
func reading(file []byte, pin *runtime.Pinner, read func(*C.rs_wire_reader_t) C.rs_status_t) error {
	source, state := pinned(pin, new(C.rs_source_t)), pinned(pin, new(C.rs_memory_source_t))
	reader := pinned(pin, new(C.rs_wire_reader_t))
	C.rs_source_from_memory(source, state, (*C.uint8_t)(first(pin, file)), C.size_t(len(file)))
	status := C.rs_wire_open(reader, source, C.rs_host_codec())
	if status == C.RS_OK {
		status = read(reader)
	}
	if status != C.RS_OK {
		C.rs_wire_close(reader, 0)
		return Error(status)
	}
	return check(C.rs_wire_close(reader, 1))
}

// SEAL is the parameters' file.
func (p *Params) SEAL() ([]byte, error) {
	var pin runtime.Pinner
	defer pin.Unpin()
	return written(&C.rs_wire_write_request_t{kind: C.RS_WIRE_PARAMS, params: pinned(&pin, &p.raw)}, &pin)
}

// ReadParams reads SEAL's file. RS_ERR_INSECURE: less than 128 bits of security.
func ReadParams(file []byte) (*Params, error) {
	var pin runtime.Pinner
	defer pin.Unpin()
	made := new(Params)
	return made, reading(file, &pin, func(reader *C.rs_wire_reader_t) C.rs_status_t {
		return C.rs_wire_read_params(reader, &made.raw, C.RS_SECURITY_DEFAULT)
	})
}

// SEAL is the ciphertext's file.
func (ct *Ciphertext) SEAL(c *Context) ([]byte, error) { return ct.file(c, C.RS_WIRE_CIPHERTEXT) }

// SEAL is the public key's file.
func (k *PublicKey) SEAL(c *Context) ([]byte, error) { return k.file(c, C.RS_WIRE_PUBLIC_KEY) }

func (ct *Ciphertext) file(c *Context, kind C.uint32_t) ([]byte, error) {
	var pin runtime.Pinner
	defer pin.Unpin()
	return written(&C.rs_wire_write_request_t{kind: kind, context: c.raw, ciphertext: ct.view(&pin)}, &pin)
}

// ReadCiphertext reads SEAL's file.
func (c *Context) ReadCiphertext(file []byte) (*Ciphertext, error) {
	var pin runtime.Pinner
	defer pin.Unpin()
	made := new(Ciphertext)
	target := C.rs_wire_target_t{kind: C.RS_WIRE_CIPHERTEXT, ciphertext: pinned(&pin, &made.raw)}
	target.size = C.uint32_t(unsafe.Sizeof(target))
	err := reading(file, &pin, func(reader *C.rs_wire_reader_t) C.rs_status_t {
		if status := C.rs_wire_read_begin(reader, c.raw, &target); status != C.RS_OK {
			return status
		}
		made.words = make([]uint64, C.rs_ciphertext_words(c.raw, made.raw.poly_count, made.raw.limb_count, made.raw.seeded))
		made.view(&pin)
		return C.rs_wire_read_words(reader, &target)
	})
	if err != nil {
		return nil, err
	}
	return made, nil
}

// SEAL is the key's file, for nobody else. Wipe it when it is no longer needed.
func (k *SecretKey) SEAL(c *Context) ([]byte, error) {
	var pin runtime.Pinner
	defer pin.Unpin()
	asked := C.rs_wire_write_request_t{kind: C.RS_WIRE_SECRET_KEY, context: c.raw, secret_key: pinned(&pin, &k.raw)}
	return written(&asked, &pin)
}

// ReadKey reads SEAL's file of a secret key.
func (c *Context) ReadKey(file []byte) (*SecretKey, error) {
	key, err := c.newKey()
	if err != nil {
		return nil, err
	}
	var pin runtime.Pinner
	defer pin.Unpin()
	words := key.raw.ntt
	target := C.rs_wire_target_t{kind: C.RS_WIRE_SECRET_KEY, secret_key: pinned(&pin, &key.raw)}
	target.size = C.uint32_t(unsafe.Sizeof(target))
	err = reading(file, &pin, func(reader *C.rs_wire_reader_t) C.rs_status_t {
		status := C.rs_wire_read_begin(reader, c.raw, &target)
		key.raw.ntt = words
		if status != C.RS_OK {
			return status
		}
		return C.rs_wire_read_words(reader, &target)
	})
	if err != nil {
		key.Close()
		return nil, err
	}
	return key, nil
}
