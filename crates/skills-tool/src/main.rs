//! The `skills` program.

fn main() -> std::process::ExitCode {
    skills_tool::run()
}
