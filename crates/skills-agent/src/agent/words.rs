//! The words of a command for an agent that starts in another folder.

use std::path::{MAIN_SEPARATOR, Path, PathBuf};

/// Returns the words of a command for a start in another folder than the one in which the person wrote the command:
/// paths relative to `stand`, the folder of the person, become absolute.
///
/// The program is a path if it has a separator. Another word is a path if it has a separator or a `.`, and a file or folder of
/// `stand` has the path. All other words stay as they are, also `--option=PATH`.
pub(crate) fn words_from(words: &[String], stand: &Path) -> Vec<String> {
    let words = words.iter().enumerate();
    let absolute = words.map(|(at, word)| {
        let path = stand.join(word);
        let is_path = match at {
            0 => Path::new(word).components().count() > 1,
            _ => word.contains(['/', '.', MAIN_SEPARATOR]) && path.exists(),
        };
        // Without `.` inside: the path is shown when the agent cannot be started.
        let path: PathBuf = path.components().collect();
        let path = path.to_str().filter(|_| is_path && !word.is_empty());
        path.unwrap_or(word).to_owned()
    });
    absolute.collect()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn only_paths_of_the_persons_folder_become_absolute() {
        let folder = tempfile::tempdir().unwrap();
        let stand = folder.path();
        std::fs::create_dir(stand.join("bin")).unwrap();
        for file in ["agent.py", "bin/run", "fast", "config.toml"] {
            std::fs::write(stand.join(file), "").unwrap();
        }
        let shown = stand.display();
        for (text, expected) in [
            ("python3 agent.py --print", "python3 [F]/agent.py --print"),
            ("./bin/run ./agent.py", "[F]/bin/run [F]/agent.py"),
            // The program is looked up in the person's folder, also if it is not there.
            ("./gone x.py", "[F]/gone x.py"),
            // Without a separator the program is on the search path, and without a `.` a word is not a path.
            ("agent.py fast", "agent.py fast"),
            (
                "my-agent --config=config.toml --model=fast",
                "my-agent --config=config.toml --model=fast",
            ),
            ("/bin/sh -c ./bin/run", "/bin/sh -c [F]/bin/run"),
            ("sh bin", "sh bin"),
            ("sh bin/ ..", "sh [F]/bin [F]/.."),
        ] {
            let words: Vec<String> = text.split(' ').map(ToOwned::to_owned).collect();
            let found = words_from(&words, stand).join(" ");
            assert_eq!(found, expected.replace("[F]", &shown.to_string()), "{text}");
        }
    }
}
