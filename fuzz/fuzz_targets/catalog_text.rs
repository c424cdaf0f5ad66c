#![no_main]

#[path = "../properties/catalog_text.rs"]
mod property;

libfuzzer_sys::fuzz_target!(|text: &str| property::hold(text));
