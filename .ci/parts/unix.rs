//! A Windows program that runs the program of its own name of the Unix system below Wine: `git.exe` runs
//! `git`. Wine starts programs of Unix, but does not report their end, and hands on no pipes of Windows: files
//! hold the streams.

use std::env;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio, id};
use std::thread::sleep;
use std::time::Duration;

fn main() -> ExitCode {
    let folder = env::temp_dir().join(format!("unix-{}", id()));
    let code = run(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let _ = fs::remove_dir_all(folder);
    ExitCode::from(code.trim().parse::<u8>().unwrap_or(u8::MAX))
}

fn run(folder: &Path) -> io::Result<String> {
    fs::create_dir_all(folder)?;
    let name = env::current_exe()?;
    let name = name.file_stem().unwrap_or_default().to_string_lossy();
    io::copy(&mut io::stdin().lock(), &mut File::create(folder.join("in"))?)?;
    fs::write(folder.join("script"), script(&name, &unix(&folder.to_string_lossy())))?;
    Command::new(r"Z:\bin\sh")
        .arg(unix(&folder.join("script").to_string_lossy()))
        .stdin(Stdio::null())
        .spawn()?;
    let code = loop {
        match fs::read_to_string(folder.join("code")) {
            Ok(code) => break code,
            Err(_) => sleep(Duration::from_millis(2)),
        }
    };
    let read = |name: &str| File::open(PathBuf::from(folder).join(name));
    io::copy(&mut read("out")?, &mut io::stdout())?;
    io::copy(&mut read("err")?, &mut io::stderr())?;
    Ok(code)
}

/// Runs the program with the variables of this process alone, and writes its exit code last.
fn script(name: &str, folder: &str) -> String {
    let variables = env::vars()
        .filter(|(name, _)| !name.eq_ignore_ascii_case("PATH") && is_name(name))
        .map(|(name, value)| format!("{name}={}", quoted(&unix(&value))));
    let arguments = env::args().skip(1).map(|argument| quoted(&unix(&argument)));
    let words: Vec<String> = variables.chain([name.to_owned()]).chain(arguments).collect();
    let (words, folder) = (words.join(" "), quoted(folder));
    format!(
        "io={folder}\n/usr/bin/env -i PATH=/usr/local/bin:/usr/bin:/bin {words} <$io/in >$io/out 2>$io/err\n\
         echo $? >$io/part\nmv $io/part $io/code\n"
    )
}

fn is_name(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// A text with the first path of a drive in it, alone or after `=` or `file:///`, as Unix names it.
fn unix(text: &str) -> String {
    let after = |mark: &str| text.find(mark).map(|at| at + mark.len());
    let starts = [after("file:///"), after("file://"), after("="), Some(0)];
    let start = starts.into_iter().flatten().find(|at| is_drive(&text[*at..]));
    let (before, path) = text.split_at(start.unwrap_or(0));
    if !is_drive(path) {
        return text.to_owned();
    }
    let rest = path[2..].replace('\\', "/");
    let before = before.replace("file:///", "file://");
    match path[..1].to_ascii_lowercase().as_str() {
        "z" => format!("{before}{rest}"),
        drive => {
            // As it was when this was compiled: a test may clear its environment.
            let prefix = env!("WINEPREFIX");
            format!("{before}{prefix}/dosdevices/{drive}:{rest}")
        }
    }
}

fn is_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [drive, b':', b'/' | b'\\', ..] if drive.is_ascii_alphabetic())
}
