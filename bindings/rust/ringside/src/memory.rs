// SPDX-License-Identifier: Apache-2.0
use alloc::vec::Vec;
use core::ffi::c_void;
use core::ops::Deref;

use ringside_sys as sys;

use crate::error::{Error, Result};

/// So many zeros, or RS_ERR_NO_MEMORY.
pub(crate) fn zeros<T: Clone + Default>(count: usize) -> Result<Vec<T>> {
    let mut room = Vec::new();
    room.try_reserve_exact(count).map_err(|_| Error::new(sys::RS_ERR_NO_MEMORY))?;
    room.resize(count, T::default());
    Ok(room)
}

/// Words for at least so many bytes, and the library's view of them. The words must outlive it.
pub(crate) fn room(bytes: usize) -> Result<(Vec<u64>, sys::rs_memory_t)> {
    let mut words: Vec<u64> = zeros(bytes / 8 + 1)?;
    let memory = sys::rs_memory_t { p: words.as_mut_ptr().cast(), n: bytes };
    Ok((words, memory))
}

/// Words of a secret, wiped when they are dropped.
pub(crate) struct SecretWords(pub Vec<u64>);

impl Drop for SecretWords {
    fn drop(&mut self) {
        unsafe { sys::rs_zeroize(self.0.as_mut_ptr().cast::<c_void>(), self.0.len() * 8) }
    }
}

/// The file of a secret key, wiped when it is dropped.
pub struct SecretBytes(pub(crate) Vec<u8>);

impl Deref for SecretBytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.0
    }
}

impl Drop for SecretBytes {
    fn drop(&mut self) {
        unsafe { sys::rs_zeroize(self.0.as_mut_ptr().cast::<c_void>(), self.0.len()) }
    }
}

/// A C struct whose members are all zero or NULL, which is what the library takes for a member left out.
pub(crate) fn blank<T: Plain>() -> T {
    unsafe { core::mem::zeroed() }
}

/// C structs of numbers, pointers and optional functions.
///
/// # Safety
/// All bytes zero must be a value of the type.
pub(crate) unsafe trait Plain {}

macro_rules! plain {
    ($($name:ident)*) => { $(unsafe impl Plain for sys::$name {})* };
}
plain! {
    rs_params_t rs_rng_t rs_secret_key_t rs_ciphertext_t rs_sink_t rs_memory_sink_t rs_source_t rs_memory_source_t
    rs_wire_reader_t rs_params_request_t rs_context_request_t rs_keygen_request_t rs_encrypt_item_t
    rs_encrypt_request_t rs_decrypt_item_t rs_decrypt_request_t rs_wire_write_request_t rs_wire_target_t
}

/// A request begins with its size.
macro_rules! request {
    ($name:ident { $($member:ident : $value:expr),* $(,)? }) => {{
        let mut made: ringside_sys::$name = crate::memory::blank();
        made.size = core::mem::size_of::<ringside_sys::$name>() as u32;
        $(made.$member = $value;)*
        made
    }};
}
pub(crate) use request;
