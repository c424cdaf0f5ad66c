#![no_main]

#[path = "../properties/lock.rs"]
mod property;

libfuzzer_sys::fuzz_target!(|text: &str| property::hold(text));
