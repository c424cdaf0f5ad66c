//! `synth N FOLDER`: writes N valid skills. `synth --plain N FOLDER`: writes N skills with nothing but a name, a description and a
//! sentence. `synth --docs N FOLDER`: writes one skill with N Markdown files.

use skills_benches::{synth, synth_docs, synth_plain};
use std::io;
use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (write, count, folder): (fn(&Path, usize) -> io::Result<()>, _, _) =
        match arguments.as_slice() {
            ["--docs", count, folder] => (synth_docs, count, folder),
            ["--plain", count, folder] => (synth_plain, count, folder),
            [count, folder] => (synth, count, folder),
            _ => {
                eprintln!("usage: synth [--docs | --plain] N FOLDER");
                return ExitCode::from(2);
            }
        };
    let written = match count.parse() {
        Ok(count) => write(Path::new(folder), count).map_err(|error| error.to_string()),
        Err(error) => Err(format!("{count}: {error}")),
    };
    match written {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}
