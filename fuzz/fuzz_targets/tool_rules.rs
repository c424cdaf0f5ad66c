#![no_main]

#[path = "../properties/tool_rules.rs"]
mod property;

libfuzzer_sys::fuzz_target!(|text: &str| property::hold(text));
