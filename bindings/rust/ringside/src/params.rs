// SPDX-License-Identifier: Apache-2.0
use alloc::vec::Vec;

use ringside_sys as sys;

use crate::error::{check, Error, Result};
use crate::memory::{blank, request};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scheme {
    Bfv = sys::RS_SCHEME_BFV as isize,
    Ckks = sys::RS_SCHEME_CKKS as isize,
    Bgv = sys::RS_SCHEME_BGV as isize,
}

/// A ring's degree and moduli, at least 128 bits of security by the library's tables.
#[derive(Clone)]
pub struct Params(pub(crate) sys::rs_params_t);

impl Params {
    fn init(asked: &sys::rs_params_request_t) -> Result<Self> {
        let mut made = blank();
        check(unsafe { sys::rs_params_init(&mut made, asked) })?;
        Ok(Self(made))
    }

    /// `lee-12` to `lee-16`, `bfv-12` to `bfv-15` and others (params.h).
    pub fn named(name: &str) -> Result<Self> {
        let mut ended: Vec<u8> = name.bytes().collect();
        if ended.contains(&0) {
            return Err(Error::new(sys::RS_ERR_SET));
        }
        ended.push(0);
        Self::init(&request!(rs_params_request_t { name: ended.as_ptr().cast() }))
    }

    /// SEAL's `CoeffModulus::Create(n, bits)`, and in BFV and BGV `PlainModulus::Batching(n, plain_bits)`; 0 for CKKS.
    pub fn from_bits(scheme: Scheme, n: u32, bits: &[u32], plain_bits: u32) -> Result<Self> {
        Self::init(&request!(rs_params_request_t {
            scheme: scheme as u32,
            n: n,
            bits: bits.as_ptr(),
            limb_count: u32::try_from(bits.len()).unwrap_or(u32::MAX),
            plain_bits: plain_bits,
        }))
    }

    pub fn n(&self) -> usize {
        1 << self.0.log_n
    }

    /// The special prime comes last.
    pub fn moduli(&self) -> &[u64] {
        &self.0.moduli[..self.0.limb_count as usize]
    }

    pub fn scheme(&self) -> Scheme {
        match self.0.scheme {
            sys::RS_SCHEME_BFV => Scheme::Bfv,
            sys::RS_SCHEME_BGV => Scheme::Bgv,
            _ => Scheme::Ckks,
        }
    }

    pub fn plain_modulus(&self) -> u64 {
        self.0.plain_modulus
    }
}
