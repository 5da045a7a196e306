// SPDX-License-Identifier: Apache-2.0
//! Round trips, refusals and wiping.
use ringside::{sys, Ciphertext, Context, Error, OsRng, Params, Result, Rng, Scheme, SecretKey};

const SCALE: f64 = (1u64 << 30) as f64;

fn small() -> Context {
    Context::new(&Params::named("lee-12").unwrap()).unwrap()
}

fn code<T>(result: Result<T>) -> u32 {
    result.err().map_or(0, Error::code)
}

#[test]
fn both_keys_and_both_kinds_of_values() {
    let context = small();
    let key = context.generate_key(&mut OsRng).unwrap();
    let public = context.public_key(&key, &mut OsRng).unwrap();
    let values = [1.5, -0.25];
    for upload in [
        context.encrypt(&key, &values, SCALE, &mut OsRng).unwrap(),
        context.encrypt(&public, &values, SCALE, &mut OsRng).unwrap(),
    ] {
        let file = upload.to_seal(&context).unwrap();
        let again = Ciphertext::from_seal(&context, &file).unwrap();
        assert_eq!((again.scale(), again.limb_count()), (SCALE, upload.limb_count()));
        let found: Vec<f64> = context.decrypt(&key, &again, 3).unwrap();
        for (got, wanted) in found.iter().zip([1.5, -0.25, 0.0]) {
            assert!((got - wanted).abs() < 1e-3, "{found:?}");
        }
    }
    let exact = Context::new(&Params::from_bits(Scheme::Bfv, 4096, &[36, 36, 37], 20).unwrap()).unwrap();
    let key = exact.generate_key(&mut OsRng).unwrap();
    let upload = exact.encrypt(&key, &[5_i64, -9], 0.0, &mut OsRng).unwrap();
    assert_eq!(exact.decrypt::<i64>(&key, &upload, 3).unwrap(), [5, -9, 0]);
}

#[test]
fn bad_input_is_an_error() {
    let context = small();
    let key = context.generate_key(&mut OsRng).unwrap();
    let upload = context.encrypt(&key, &[1.0], SCALE, &mut OsRng).unwrap();
    let file = upload.to_seal(&context).unwrap();
    let mut trailing = file.clone();
    trailing.push(0);
    let other = Context::new(&Params::named("lee-13").unwrap()).unwrap();
    assert_eq!(code(Params::named("lee-99")), sys::RS_ERR_SET);
    assert_eq!(code(Params::named("lee\0-12")), sys::RS_ERR_SET);
    assert_eq!(code(Params::from_bits(Scheme::Ckks, 4096, &[60, 60, 60], 0)), sys::RS_ERR_INSECURE);
    assert_eq!(code(context.encrypt(&key, &[f64::NAN], SCALE, &mut OsRng)), sys::RS_ERR_NOT_FINITE);
    assert_eq!(code(context.encrypt(&key, &[0.0; 2049], SCALE, &mut OsRng)), sys::RS_ERR_VALUE_COUNT);
    assert_eq!(code(context.encrypt(&key, &[1.0], -1.0, &mut OsRng)), sys::RS_ERR_SCALE);
    assert_eq!(code(context.encrypt(&key, &[1_i64], SCALE, &mut OsRng)), sys::RS_ERR_SCHEME);
    assert_eq!(code(context.decrypt::<i64>(&key, &upload, 1)), sys::RS_ERR_SCHEME);
    assert_eq!(code(other.decrypt::<f64>(&key, &upload, 1)), sys::RS_ERR_MISMATCH);
    assert_eq!(code(Ciphertext::from_seal(&context, &file[..file.len() - 1])), sys::RS_ERR_TRUNCATED);
    assert_eq!(code(Ciphertext::from_seal(&context, &trailing)), sys::RS_ERR_TRAILING);
    assert_eq!(code(Ciphertext::from_seal(&context, b"no SEAL file at all")), sys::RS_ERR_MAGIC);
    assert_eq!(code(SecretKey::from_seal(&context, &file)), sys::RS_ERR_KIND);
    let told = format!("{}", Params::named("lee-99").err().unwrap());
    assert!(told.starts_with("RS_ERR_SET: ") && told.len() > 20, "{told}");
}

struct Broken;

impl Rng for Broken {
    fn fill(&mut self, _: &mut [u8]) -> Result<()> {
        Err(Error::new(sys::RS_ERR_RNG))
    }
}

#[test]
fn a_source_of_seeds_that_fails_makes_nothing() {
    assert_eq!(code(small().generate_key(&mut Broken)), sys::RS_ERR_RNG);
}

/// Memory that a secret was in, after it was dropped: the test keeps what the allocator gets back.
mod wiping {
    use std::alloc::{GlobalAlloc, Layout, System};
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    pub struct Watching;
    pub static SIZE: AtomicUsize = AtomicUsize::new(0);
    pub static SEEN: AtomicUsize = AtomicUsize::new(0);
    pub static DIRTY: AtomicUsize = AtomicUsize::new(0);

    unsafe impl GlobalAlloc for Watching {
        unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
            System.alloc(layout)
        }

        unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
            if layout.size() == SIZE.load(SeqCst) {
                SEEN.fetch_add(1, SeqCst);
                let left = (0..layout.size()).filter(|&i| at.add(i).read_volatile() != 0).count();
                DIRTY.fetch_add(left, SeqCst);
            }
            System.dealloc(at, layout)
        }
    }
}

#[global_allocator]
static ALLOCATOR: wiping::Watching = wiping::Watching;

#[test]
fn keys_are_wiped_when_they_are_dropped() {
    use std::sync::atomic::Ordering::SeqCst;
    let context = Context::new(&Params::named("lee-13").unwrap()).unwrap(); // a size that no other test has
    let key = context.generate_key(&mut OsRng).unwrap();
    let file = key.to_seal(&context).unwrap();
    assert!(file.iter().filter(|&&byte| byte != 0).count() > 1000);
    for (size, drop_it) in [
        (context.params().n() * context.params().moduli().len() * 8, Box::new(move || drop(key)) as Box<dyn FnOnce()>),
        (file.len(), Box::new(move || drop(file))),
    ] {
        wiping::SIZE.store(size, SeqCst);
        wiping::SEEN.store(0, SeqCst);
        wiping::DIRTY.store(0, SeqCst);
        drop_it();
        wiping::SIZE.store(0, SeqCst);
        assert_eq!((wiping::SEEN.load(SeqCst), wiping::DIRTY.load(SeqCst)), (1, 0));
    }
}
