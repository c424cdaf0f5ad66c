#![no_main]

#[path = "../properties/lsp.rs"]
mod property;

libfuzzer_sys::fuzz_target!(|text: &str| property::hold(text));
