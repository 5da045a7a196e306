// SPDX-License-Identifier: Apache-2.0
//! The client side of CKKS, BFV and BGV, with Microsoft SEAL's files. A thin layer over Ringside's C library, which
//! allocates nothing: this crate does, and wipes what was secret when it is dropped.
//!
//! ```
//! use ringside::{Ciphertext, Context, OsRng, Params};
//!
//! # fn main() -> ringside::Result<()> {
//! let context = Context::new(&Params::named("lee-12")?)?;
//! let key = context.generate_key(&mut OsRng)?;
//! let upload = context.encrypt(&key, &[21.5, -3.25], 2f64.powi(35), &mut OsRng)?.to_seal(&context)?;
//! let answer = Ciphertext::from_seal(&context, &upload)?;
//! let values: Vec<f64> = context.decrypt(&key, &answer, 2)?;
//! assert!((values[0] - 21.5).abs() < 1e-4);
//! # Ok(())
//! # }
//! ```
#![no_std]

extern crate alloc;
#[cfg(feature = "std")]
extern crate std;

mod context;
mod error;
mod memory;
mod params;
mod rng;
mod wire;

pub use context::{Ciphertext, Context, Encryptor, PublicKey, SecretKey, Value};
pub use error::{Error, Result};
pub use memory::SecretBytes;
pub use params::{Params, Scheme};
pub use ringside_sys as sys;
#[cfg(feature = "std")]
pub use rng::OsRng;
pub use rng::Rng;
