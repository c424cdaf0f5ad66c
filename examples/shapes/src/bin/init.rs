//! The program that `cargo skills init` writes. Here its folder `skills` holds the skills of the other programs.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "what the program says"
)]

include!("../../../../crates/skills-tool/src/commands/init/host.txt");
