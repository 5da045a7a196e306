// SPDX-License-Identifier: Apache-2.0
use core::ffi::c_void;

use ringside_sys as sys;

use crate::error::Result;

/// A source of random bytes for seeds. Everything secret depends on it: only a true random generator, or the operating
/// system's, will do.
pub trait Rng {
    fn fill(&mut self, out: &mut [u8]) -> Result<()>;
}

/// The operating system's.
#[cfg(feature = "std")]
pub struct OsRng;

#[cfg(feature = "std")]
impl Rng for OsRng {
    fn fill(&mut self, out: &mut [u8]) -> Result<()> {
        let mut system: sys::rs_rng_t = crate::memory::blank();
        unsafe { sys::rs_rng_os(&mut system) };
        let fill = system.fill.ok_or(crate::Error::new(sys::RS_ERR_RNG))?;
        crate::error::check(unsafe { fill(system.state, out.as_mut_ptr(), out.len()) })
    }
}

unsafe extern "C" fn fill(state: *mut c_void, out: *mut u8, bytes: usize) -> sys::rs_status_t {
    let rng = &mut *state.cast::<&mut dyn Rng>();
    match rng.fill(core::slice::from_raw_parts_mut(out, bytes)) {
        Ok(()) => sys::RS_OK,
        Err(error) => error.code(),
    }
}

/// The library's view of a source, for as long as both references live.
pub(crate) fn source(rng: &mut &mut dyn Rng) -> sys::rs_rng_t {
    sys::rs_rng_t { fill: Some(fill), state: (rng as *mut &mut dyn Rng).cast() }
}
