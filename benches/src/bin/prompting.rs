//! `prompting [N…]`: the CPU time that `skills chat` takes for a key, over N skills of `synth`, in a
//! terminal of `tmux`.
//!
//! Needs `tmux`, Linux, and ours: `cargo build --release -p skills-tool` in the workspace above.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};
use std::{env, fs};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// What is typed, a key at a time.
const TYPED: &[(&str, &str)] = &[
    ("a prefix", "$skill-00123"),
    ("a part", "$0123"),
    ("words", "$00123-skill"),
    ("a slip", "$skil-00123"),
    ("a command", "/skill-00123"),
    ("within a text", "please look at $skill-00123"),
    ("no name", "nothing is named in this"),
];
/// How long a screen has to follow a key.
const PATIENCE: Duration = Duration::from_secs(20);
const PAUSE: Duration = Duration::from_millis(2);

fn main() -> Result<()> {
    let mut counts: Vec<usize> = env::args()
        .skip(1)
        .map(|count| count.parse())
        .collect::<std::result::Result<_, _>>()?;
    if counts.is_empty() {
        counts = vec![100, 10_000];
    }
    println!("skills  {:16}  first ms  median ms  worst ms", "typed");
    for count in counts {
        let folder = target().join(format!("synth-{count}"));
        if !folder.exists() {
            fs::create_dir_all(target())?;
            skills_benches::synth(&folder, count)?;
        }
        for (number, (what, text)) in TYPED.into_iter().enumerate() {
            // A server that ends still holds its socket.
            let socket = target().join(format!("tmux-{count}-{number}"));
            let mut keys = Prompt::start(socket, &folder)?.typed(text)?;
            let first = keys.remove(0);
            keys.sort_by(f64::total_cmp);
            let median = keys.get(keys.len() / 2).copied().unwrap_or(f64::NAN);
            let worst = keys.last().copied().unwrap_or(f64::NAN);
            println!("{count:>6}  {what:16}  {first:>8.2}  {median:>9.2}  {worst:>8.2}");
        }
    }
    Ok(())
}

/// The program in a terminal.
struct Prompt {
    socket: PathBuf,
    /// The process.
    id: u32,
}

impl Prompt {
    fn start(socket: PathBuf, folder: &Path) -> Result<Self> {
        let layer = format!("--layer=user={}", folder.display());
        let program = skills_benches::skills_program();
        let program = program.to_str().ok_or("a path with odd letters")?;
        let mut prompt = Self { socket, id: 0 };
        prompt.tmux(&[
            "-u",
            "-f",
            "/dev/null",
            "new-session",
            "-d",
            "-s",
            "t",
            "-x",
            "100",
            "-y",
            "40",
            program,
            "chat",
            "--no-bundled",
            "--no-history",
            &layer,
        ])?;
        prompt.until(|screen| screen.ends_with("\n>"))?;
        let id = prompt.tmux(&["list-panes", "-t", "t", "-F", "#{pane_pid}"])?;
        prompt.id = id.trim().parse()?;
        Ok(prompt)
    }

    /// Types a text; returns the milliseconds of CPU time of each key.
    fn typed(&self, text: &str) -> Result<Vec<f64>> {
        let mut typed = String::new();
        let mut keys = Vec::new();
        for key in text.chars() {
            typed.push(key);
            let before = self.cpu()?;
            self.tmux(&["send-keys", "-t", "t", "-l", "--", &key.to_string()])?;
            let line = format!("> {typed}");
            let line = line.trim_end();
            self.until(|screen| screen.lines().any(|shown| shown.trim_end() == line))?;
            // The list below the line is drawn at once with the line.
            sleep(PAUSE);
            keys.push(self.cpu()? - before);
        }
        Ok(keys)
    }

    /// The milliseconds that all threads of the process have had.
    fn cpu(&self) -> Result<f64> {
        let mut nanoseconds = 0_u64;
        for task in fs::read_dir(format!("/proc/{}/task", self.id))? {
            let schedule = fs::read_to_string(task?.path().join("schedstat"))?;
            let first = schedule.split_whitespace().next().unwrap_or("0");
            nanoseconds += first.parse::<u64>()?;
        }
        Ok(nanoseconds as f64 / 1e6)
    }

    fn until(&self, holds: impl Fn(&str) -> bool) -> Result<()> {
        let start = Instant::now();
        loop {
            let screen = self.tmux(&["capture-pane", "-p", "-t", "t"])?;
            if holds(screen.trim_end()) {
                return Ok(());
            }
            if start.elapsed() > PATIENCE {
                return Err(format!("not what was waited for:\n{screen}").into());
            }
            sleep(PAUSE);
        }
    }

    fn tmux(&self, arguments: &[&str]) -> Result<String> {
        let mut command = Command::new("tmux");
        let output = command
            .arg("-S")
            .arg(&self.socket)
            .args(arguments)
            .output()?;
        if !output.status.success() {
            return Err(String::from_utf8_lossy(&output.stderr).into_owned().into());
        }
        Ok(String::from_utf8(output.stdout)?)
    }
}

impl Drop for Prompt {
    fn drop(&mut self) {
        let _ = self.tmux(&["kill-server"]);
    }
}

fn target() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/prompting")
}
