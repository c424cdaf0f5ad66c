//! `synth N FOLDER`: writes N valid skills.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [count, folder] = arguments.as_slice() else {
        eprintln!("usage: synth N FOLDER");
        return ExitCode::from(2);
    };
    let written = match count.parse() {
        Ok(count) => {
            skills_benches::synth(Path::new(folder), count).map_err(|error| error.to_string())
        }
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
