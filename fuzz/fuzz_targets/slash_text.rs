#![no_main]

#[path = "../properties/slash_text.rs"]
mod property;

libfuzzer_sys::fuzz_target!(|text: &str| property::hold(text));
