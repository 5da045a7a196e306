// SPDX-License-Identifier: Apache-2.0
//! Microsoft SEAL's files, as bytes.
use alloc::vec::Vec;

use ringside_sys as sys;

use crate::context::{Ciphertext, Context, PublicKey, SecretKey};
use crate::error::{check, Error, Result};
use crate::memory::{blank, request, zeros, SecretBytes};
use crate::params::Params;

fn written(mut asked: sys::rs_wire_write_request_t) -> Result<Vec<u8>> {
    let bytes = unsafe { sys::rs_wire_bytes(&asked) };
    let mut file: Vec<u8> = zeros(usize::try_from(bytes).map_err(|_| Error::new(sys::RS_ERR_NO_MEMORY))?)?;
    let (mut sink, mut state) = (blank(), blank());
    unsafe { sys::rs_sink_to_memory(&mut sink, &mut state, file.as_mut_ptr(), file.len()) };
    asked.sink = &sink;
    let write = match asked.kind {
        sys::RS_WIRE_SECRET_KEY => sys::rs_wire_write_secret_key,
        _ => sys::rs_wire_write,
    };
    check(unsafe { write(&asked) })?;
    file.truncate(state.bytes);
    Ok(file)
}

/// Opens a file, lets `read` take what is in it, and checks that nothing follows.
fn reading<T>(file: &[u8], read: impl FnOnce(*mut sys::rs_wire_reader_t) -> Result<T>) -> Result<T> {
    let (mut source, mut state, mut reader) = (blank(), blank(), blank());
    #[cfg(feature = "std")]
    let codec = unsafe { sys::rs_host_codec() };
    #[cfg(not(feature = "std"))]
    let codec = core::ptr::null();
    unsafe { sys::rs_source_from_memory(&mut source, &mut state, file.as_ptr(), file.len()) };
    let opened = check(unsafe { sys::rs_wire_open(&mut reader, &source, codec) });
    let made = opened.and_then(|()| read(&mut reader));
    let closed = check(unsafe { sys::rs_wire_close(&mut reader, made.is_ok().into()) });
    let made = made?;
    closed?;
    Ok(made)
}

fn ciphertext_in(context: &Context, file: &[u8], kind: sys::rs_wire_kind_t) -> Result<Ciphertext> {
    reading(file, |reader| {
        let mut found: sys::rs_ciphertext_t = blank();
        let target = request!(rs_wire_target_t { kind: kind, ciphertext: &mut found });
        check(unsafe { sys::rs_wire_read_begin(reader, context.raw(), &target) })?;
        Ciphertext::made(context, found, |to| {
            let target = request!(rs_wire_target_t { kind: kind, ciphertext: to });
            check(unsafe { sys::rs_wire_read_words(reader, &target) })
        })
    })
}

impl Params {
    pub fn to_seal(&self) -> Result<Vec<u8>> {
        written(request!(rs_wire_write_request_t { kind: sys::RS_WIRE_PARAMS, params: &self.0 }))
    }

    /// RS_ERR_INSECURE: less than 128 bits of security.
    pub fn from_seal(file: &[u8]) -> Result<Self> {
        reading(file, |reader| {
            let mut made = blank();
            check(unsafe { sys::rs_wire_read_params(reader, &mut made, sys::RS_SECURITY_DEFAULT) })?;
            Ok(Self(made))
        })
    }
}

impl SecretKey {
    /// For nobody else.
    pub fn to_seal(&self, context: &Context) -> Result<SecretBytes> {
        let key = self.view();
        written(request!(rs_wire_write_request_t {
            kind: sys::RS_WIRE_SECRET_KEY,
            context: context.raw(),
            secret_key: &key,
        }))
        .map(SecretBytes)
    }

    pub fn from_seal(context: &Context, file: &[u8]) -> Result<Self> {
        reading(file, |reader| {
            Self::made(context, |key| {
                let words = key.ntt;
                let target = request!(rs_wire_target_t { kind: sys::RS_WIRE_SECRET_KEY, secret_key: key });
                check(unsafe { sys::rs_wire_read_begin(reader, context.raw(), &target) })?;
                key.ntt = words;
                check(unsafe { sys::rs_wire_read_words(reader, &target) })
            })
        })
    }
}

impl Ciphertext {
    pub fn to_seal(&self, context: &Context) -> Result<Vec<u8>> {
        ciphertext_file(context, self, sys::RS_WIRE_CIPHERTEXT)
    }

    pub fn from_seal(context: &Context, file: &[u8]) -> Result<Self> {
        ciphertext_in(context, file, sys::RS_WIRE_CIPHERTEXT)
    }
}

impl PublicKey {
    pub fn to_seal(&self, context: &Context) -> Result<Vec<u8>> {
        ciphertext_file(context, &self.0, sys::RS_WIRE_PUBLIC_KEY)
    }
}

fn ciphertext_file(context: &Context, what: &Ciphertext, kind: sys::rs_wire_kind_t) -> Result<Vec<u8>> {
    let ciphertext = what.view();
    written(request!(rs_wire_write_request_t { kind: kind, context: context.raw(), ciphertext: &ciphertext }))
}
