#![no_main]

#[path = "../properties/skill_file.rs"]
mod property;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| property::hold(bytes));
