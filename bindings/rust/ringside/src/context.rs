// SPDX-License-Identifier: Apache-2.0
use alloc::vec::Vec;
use core::ffi::c_void;

use ringside_sys as sys;

use crate::error::{check, Error, Result};
use crate::memory::{blank, request, room, zeros, SecretWords};
use crate::params::{Params, Scheme};
use crate::rng::{source, Rng};

/// What values a scheme has: `f64` in CKKS, `i64` from -floor(t/2) to floor((t-1)/2) in BFV and BGV. Another type is
/// RS_ERR_SCHEME.
pub trait Value: Copy + Default + sealed::Sealed {
    #[doc(hidden)]
    fn is_of(scheme: Scheme) -> bool;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f64 {}
    impl Sealed for i64 {}
}

impl Value for f64 {
    fn is_of(scheme: Scheme) -> bool {
        scheme == Scheme::Ckks
    }
}

impl Value for i64 {
    fn is_of(scheme: Scheme) -> bool {
        scheme != Scheme::Ckks
    }
}

/// Tables of a parameter set. It is never changed: threads share it. Objects of another context are refused
/// (RS_ERR_MISMATCH).
pub struct Context {
    raw: *const sys::rs_context_t,
    params: Params,
    _memory: Vec<u64>,
}

unsafe impl Send for Context {}
unsafe impl Sync for Context {}

/// Wiped when it is dropped.
pub struct SecretKey {
    raw: sys::rs_secret_key_t,
    words: SecretWords,
}

pub struct PublicKey(pub(crate) Ciphertext);

pub struct Ciphertext {
    raw: sys::rs_ciphertext_t,
    words: Vec<u64>,
}

/// A key to encrypt with.
pub enum Encryptor<'a> {
    Secret(&'a SecretKey),
    Public(&'a PublicKey),
}

impl<'a> From<&'a SecretKey> for Encryptor<'a> {
    fn from(key: &'a SecretKey) -> Self {
        Self::Secret(key)
    }
}

impl<'a> From<&'a PublicKey> for Encryptor<'a> {
    fn from(key: &'a PublicKey) -> Self {
        Self::Public(key)
    }
}

impl SecretKey {
    /// Room for a key; `fill` writes it, by a descriptor that leads there.
    pub(crate) fn made(context: &Context, fill: impl FnOnce(&mut sys::rs_secret_key_t) -> Result<()>) -> Result<Self> {
        let words = SecretWords(zeros(context.params.moduli().len() * context.params.n())?);
        let mut key = Self { raw: blank(), words };
        let mut view = key.view();
        fill(&mut view)?;
        key.raw = view;
        Ok(key)
    }

    pub(crate) fn view(&self) -> sys::rs_secret_key_t {
        sys::rs_secret_key_t { ntt: self.words.0.as_ptr() as *mut u64, ..self.raw }
    }
}

impl Ciphertext {
    /// Room for these many polynomials; `fill` as above.
    pub(crate) fn made(
        context: &Context,
        raw: sys::rs_ciphertext_t,
        fill: impl FnOnce(&mut sys::rs_ciphertext_t) -> Result<()>,
    ) -> Result<Self> {
        let count = unsafe { sys::rs_ciphertext_words(context.raw, raw.poly_count, raw.limb_count, raw.seeded) };
        let mut made = Self { raw, words: zeros(count)? };
        let mut view = made.view();
        fill(&mut view)?;
        made.raw = view;
        Ok(made)
    }

    fn fresh(
        context: &Context,
        limb_count: u32,
        seeded: bool,
        fill: impl FnOnce(&mut sys::rs_ciphertext_t) -> Result<()>,
    ) -> Result<Self> {
        let mut raw: sys::rs_ciphertext_t = blank();
        raw.poly_count = 2;
        raw.limb_count = limb_count;
        raw.seeded = seeded.into();
        Self::made(context, raw, fill)
    }

    pub(crate) fn view(&self) -> sys::rs_ciphertext_t {
        sys::rs_ciphertext_t { data: self.words.as_ptr() as *mut u64, ..self.raw }
    }

    /// What CKKS's values are multiplied by.
    pub fn scale(&self) -> f64 {
        self.raw.scale
    }

    /// Moduli that are left.
    pub fn limb_count(&self) -> usize {
        self.raw.limb_count as usize
    }
}

impl Context {
    pub fn new(params: &Params) -> Result<Self> {
        let (memory, view) = room(unsafe { sys::rs_context_size(&params.0) })?;
        let mut raw = core::ptr::null();
        let asked = request!(rs_context_request_t { params: &params.0, memory: view });
        check(unsafe { sys::rs_context_init(&mut raw, &asked) })?;
        Ok(Self { raw, params: params.clone(), _memory: memory })
    }

    pub fn params(&self) -> &Params {
        &self.params
    }

    pub(crate) fn raw(&self) -> *const sys::rs_context_t {
        self.raw
    }

    pub fn generate_key(&self, mut rng: &mut dyn Rng) -> Result<SecretKey> {
        let mut seeds = source(&mut rng);
        SecretKey::made(self, |key| check(unsafe { sys::rs_keygen_secret(self.raw, key, &mut seeds) }))
    }

    pub fn public_key(&self, key: &SecretKey, mut rng: &mut dyn Rng) -> Result<PublicKey> {
        let secret = key.view();
        let mut seeds = source(&mut rng);
        let limbs = self.params.moduli().len() as u32;
        let made = Ciphertext::fresh(self, limbs, false, |to| {
            let mut asked = request!(rs_keygen_request_t {
                kind: sys::RS_KEY_PUBLIC,
                context: self.raw,
                secret_key: &secret,
                key: to,
                rng: &mut seeds,
            });
            let (_words, view) = room(unsafe { sys::rs_keygen_workspace(&asked) })?;
            asked.workspace = view;
            check(unsafe { sys::rs_keygen(&asked) })
        })?;
        Ok(PublicKey(made))
    }

    /// Values in slots, the rest zeros. With a secret key half of the ciphertext is a seed. scale: 0 in BFV and BGV.
    pub fn encrypt<'a, V: Value>(
        &self,
        key: impl Into<Encryptor<'a>>,
        values: &[V],
        scale: f64,
        mut rng: &mut dyn Rng,
    ) -> Result<Ciphertext> {
        self.check_values::<V>()?;
        let mut seeds = source(&mut rng);
        let (mut secret, mut public) = (blank(), blank());
        let mut asked = request!(rs_encrypt_request_t { context: self.raw, count: 1, rng: &mut seeds });
        match key.into() {
            Encryptor::Secret(key) => {
                secret = key.view();
                asked.secret_key = &secret;
                asked.seeded = 1;
            }
            Encryptor::Public(key) => {
                public = key.0.view();
                asked.kind = sys::RS_ENCRYPT_PK;
                asked.public_key = &public;
            }
        }
        let limbs = unsafe { sys::rs_params_data_limbs(&self.params.0) };
        let made = Ciphertext::fresh(self, limbs, asked.seeded == 1, |to| {
            let mut item: sys::rs_encrypt_item_t = blank();
            item.values = values.as_ptr().cast::<c_void>();
            item.count = count_of(values.len())?;
            item.scale = scale;
            item.ciphertext = to;
            asked.items = &mut item;
            let (_words, view) = room(unsafe { sys::rs_encrypt_workspace(&asked) })?;
            asked.workspace = view;
            check(unsafe { sys::rs_encrypt(&asked) })
        });
        let _ = (secret, public); // they lived until here
        made
    }

    /// The first `count` values. They are secret: wipe them with `ringside::sys::rs_zeroize` where memory may be read
    /// by others.
    pub fn decrypt<V: Value>(&self, key: &SecretKey, ciphertext: &Ciphertext, count: usize) -> Result<Vec<V>> {
        self.check_values::<V>()?;
        let (secret, from) = (key.view(), ciphertext.view());
        let mut values: Vec<V> = zeros(count)?;
        let mut item: sys::rs_decrypt_item_t = blank();
        item.ciphertext = &from;
        item.values = values.as_mut_ptr().cast();
        item.count = count_of(count)?;
        let mut asked =
            request!(rs_decrypt_request_t { context: self.raw, secret_key: &secret, items: &mut item, count: 1 });
        let (_words, view) = room(unsafe { sys::rs_decrypt_workspace(&asked) })?;
        asked.workspace = view;
        check(unsafe { sys::rs_decrypt(&asked) })?;
        Ok(values)
    }

    fn check_values<V: Value>(&self) -> Result<()> {
        match V::is_of(self.params.scheme()) {
            true => Ok(()),
            false => Err(Error::new(sys::RS_ERR_SCHEME)),
        }
    }
}

fn count_of(values: usize) -> Result<u32> {
    u32::try_from(values).map_err(|_| Error::new(sys::RS_ERR_VALUE_COUNT))
}
