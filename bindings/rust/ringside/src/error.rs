// SPDX-License-Identifier: Apache-2.0
use core::ffi::CStr;
use core::fmt;

use ringside_sys as sys;

/// What the library refused, by its status code.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Error(sys::rs_status_t);

pub type Result<T> = core::result::Result<T, Error>;

impl Error {
    /// An error of the caller's own source of random bytes is `Error::new(ringside::sys::RS_ERR_RNG)`.
    pub const fn new(code: sys::rs_status_t) -> Self {
        Self(code)
    }

    pub const fn code(self) -> u32 {
        self.0
    }

    /// `RS_ERR_SET`, for example.
    pub fn name(self) -> &'static str {
        text(unsafe { sys::rs_status_name(self.0) })
    }

    /// One sentence on what is wrong.
    pub fn message(self) -> &'static str {
        text(unsafe { sys::rs_status_message(self.0) })
    }
}

// The library's texts are ASCII, live for ever, and are never NULL.
fn text(of: *const core::ffi::c_char) -> &'static str {
    unsafe { CStr::from_ptr(of) }.to_str().unwrap_or("")
}

impl fmt::Display for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}: {}", self.name(), self.message())
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, to)
    }
}

#[cfg(feature = "std")]
impl std::error::Error for Error {}

pub(crate) fn check(status: sys::rs_status_t) -> Result<()> {
    match status {
        sys::RS_OK => Ok(()),
        code => Err(Error(code)),
    }
}
