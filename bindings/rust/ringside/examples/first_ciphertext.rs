// SPDX-License-Identifier: Apache-2.0
//! A first ciphertext: parameters, a key and an upload for SEAL in a folder; then the answer that a server left there,
//! decrypted.
//!
//!     cargo run --example first_ciphertext -- SET FOLDER           # lee-14: two numbers; bfv-13: three integers
//!     cargo run --example first_ciphertext -- SET FOLDER answer
use std::error::Error;
use std::path::Path;
use std::{env, fs};

use ringside::{Ciphertext, Context, OsRng, Params, Scheme, SecretKey};

fn upload(params: &Params, folder: &Path) -> Result<(), Box<dyn Error>> {
    let context = Context::new(params)?;
    let key = context.generate_key(&mut OsRng)?;
    let message = match params.scheme() {
        Scheme::Ckks => context.encrypt(&key, &[21.5, -3.25], 2f64.powi(48), &mut OsRng)?,
        _ => context.encrypt(&key, &[7_i64, -3, 100], 0.0, &mut OsRng)?,
    };
    fs::write(folder.join("parameters.seal"), params.to_seal()?)?;
    fs::write(folder.join("message.seal"), message.to_seal(&context)?)?;
    fs::write(folder.join("secret.key"), &*key.to_seal(&context)?)?;
    println!("ringside {}: encrypted into {}", env!("CARGO_PKG_VERSION"), folder.display());
    Ok(())
}

fn answer(folder: &Path) -> Result<(), Box<dyn Error>> {
    let params = Params::from_seal(&fs::read(folder.join("parameters.seal"))?)?;
    let context = Context::new(&params)?;
    let key = SecretKey::from_seal(&context, &fs::read(folder.join("secret.key"))?)?;
    let answer = Ciphertext::from_seal(&context, &fs::read(folder.join("answer.seal"))?)?;
    match params.scheme() {
        Scheme::Ckks => println!("{:?}", context.decrypt::<f64>(&key, &answer, 3)?),
        _ => println!("{:?}", context.decrypt::<i64>(&key, &answer, 4)?),
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let words: Vec<String> = env::args().skip(1).collect();
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [set, folder] => upload(&Params::named(set)?, Path::new(folder)),
        [_, folder, "answer"] => answer(Path::new(folder)),
        _ => Err("usage: first_ciphertext SET FOLDER [answer]".into()),
    }
}
