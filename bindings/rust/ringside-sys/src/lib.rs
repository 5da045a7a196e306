// SPDX-License-Identifier: Apache-2.0
//! Ringside's C library, as its stable headers declare it: their comments say what holds. The crate `ringside` is safe.
#![no_std]
#![allow(non_camel_case_types)]

#[rustfmt::skip]
mod bindings;

pub use bindings::*;
