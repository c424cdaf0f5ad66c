#![no_main]

#[path = "../properties/front_matter.rs"]
mod property;

libfuzzer_sys::fuzz_target!(|text: &str| property::hold(text));
