//! Runs the program with an empty environment, in the temporary folder of the system.

use std::process::Command;

fn answer(words: &[&str]) -> (String, bool) {
    let output = Command::new(env!("CARGO_BIN_EXE_example-offline-tool"))
        .args(words)
        .env_clear()
        .current_dir(std::env::temp_dir())
        .output()
        .expect("it starts");
    let text = String::from_utf8(output.stdout).expect("it is text");
    (text, output.status.success())
}

#[test]
fn lists() {
    let (text, done) = answer(&[]);
    assert!(done && text.starts_with("certificate-expired\n    Renews a TLS certificate"));
}

#[test]
fn finds_by_name_and_by_words() {
    let (by_name, done) = answer(&["disk-full"]);
    assert!(done && by_name.starts_with("disk-full\n\n# A full disk\n"));
    assert!(
        by_name.contains("\n--- references/safe-to-remove.md\n# What may be removed at once\n")
    );
    assert_eq!(answer(&["the", "disk", "is", "full"]), (by_name, true));
}

#[test]
fn says_what_it_does_not_know() {
    let expected = "No runbook is about 'coffee beans'.\n".to_owned();
    assert_eq!(answer(&["coffee", "beans"]), (expected, false));
}

#[test]
fn fills_in_the_arguments_of_a_runbook() {
    let (text, done) = answer(&["restart", "--production"]);
    assert!(done && text.contains("\n# Restart a service at production\n"));
    assert!(text.contains("Wait 30 seconds, then ask"), "{text}");
    let (text, _) = answer(&["restart", "--wait", "5"]);
    assert!(text.contains("one machine of staging out") && text.contains("Wait 5 seconds"));
    assert_eq!(
        answer(&["restart", "--wait", "601"]),
        (String::new(), false)
    );
}
