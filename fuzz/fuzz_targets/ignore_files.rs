#![no_main]

#[path = "../properties/ignore_files.rs"]
mod property;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| property::hold(bytes));
