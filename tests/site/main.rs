//! Makes the site of `docs`: the preprocessor of mdBook, and the check of what mdBook wrote.
//!
//! `mdbook` runs it without arguments (docs/book.toml). `site check FOLDER` reads a built site: `.ci/parts/site`.

#![allow(
    clippy::disallowed_methods,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a program of the site's build"
)]

mod book;
mod built;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments.as_slice() {
        [] => book::preprocess(std::io::stdin(), std::io::stdout()),
        // mdBook asks before it renders.
        ["supports", renderer] => match *renderer {
            "html" => Ok(()),
            _ => return ExitCode::FAILURE,
        },
        ["check", folder] => built::check(Path::new(folder)).map(|said| println!("{said}")),
        _ => Err("usage: site [check FOLDER]".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the root of the repository.
fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}
