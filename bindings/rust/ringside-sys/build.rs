// SPDX-License-Identifier: Apache-2.0
//! Finds the C library: where RINGSIDE_LIB_DIR says, or by pkg-config. The former is for cross compilers and cores
//! without an operating system.
use std::env;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=RINGSIDE_LIB_DIR");
    println!("cargo:rerun-if-env-changed=PKG_CONFIG_PATH");
    if let Ok(place) = env::var("RINGSIDE_LIB_DIR") {
        search(&place);
        println!("cargo:rustc-link-lib=static=ringside");
        return;
    }
    let found = Command::new("pkg-config").args(["--libs", "ringside"]).output();
    let answer = match found {
        Ok(done) if done.status.success() => String::from_utf8(done.stdout).expect("pkg-config prints text"),
        _ => panic!(
            "The C library is missing. Install it (lib/README.md of Ringside) and let PKG_CONFIG_PATH name its folder \
             lib/pkgconfig, or set RINGSIDE_LIB_DIR to the folder of libringside.a."
        ),
    };
    for word in answer.split_whitespace() {
        if let Some(place) = word.strip_prefix("-L") {
            search(place);
        } else if let Some(name) = word.strip_prefix("-l") {
            println!("cargo:rustc-link-lib={name}");
        } else {
            println!("cargo:rustc-link-arg={word}");
        }
    }
}

fn search(place: &str) {
    println!("cargo:rustc-link-search=native={place}");
    println!("cargo:rerun-if-changed={place}/libringside.a");
}
