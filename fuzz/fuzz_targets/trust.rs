#![no_main]

#[path = "../properties/trust.rs"]
mod property;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| property::hold(bytes));
