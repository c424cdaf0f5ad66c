#![no_main]

#[path = "../properties/mention_scanner.rs"]
mod property;

libfuzzer_sys::fuzz_target!(|text: &str| property::hold(text));
