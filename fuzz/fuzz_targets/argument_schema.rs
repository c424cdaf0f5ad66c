#![no_main]

#[path = "../properties/argument_schema.rs"]
mod property;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| property::hold(bytes));
