#![no_main]

#[path = "../properties/state.rs"]
mod property;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| property::hold(bytes));
