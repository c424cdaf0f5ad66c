//! The words of a command for an agent that starts in another folder.

use std::path::Path;

/// Returns the words of a command for a start in another folder than the one in which the person wrote the command:
/// paths relative to `stand`, the folder of the person, become absolute.
///
/// The program is a path if it has a separator. Another word, or the value after `=` of an option, is a path if it has
/// a separator or a `.`, and a file or folder of `stand` has the path. All other words stay as they are.
pub(crate) fn words_from(words: &[String], stand: &Path) -> Vec<String> {
    let mut all = Vec::with_capacity(words.len());
    for (at, word) in words.iter().enumerate() {
        all.push(
            if at == 0 {
                let is_path = Path::new(word).components().count() > 1;
                absolute(word, stand).filter(|_| is_path)
            } else if let Some((option, value)) =
                word.split_once('=').filter(|_| word.starts_with('-'))
            {
                existing(value, stand).map(|value| format!("{option}={value}"))
            } else {
                existing(word, stand)
            }
            .unwrap_or_else(|| word.clone()),
        );
    }
    all
}

/// Returns the absolute path of a word that names a file or folder of `stand`.
fn existing(word: &str, stand: &Path) -> Option<String> {
    let looks_like_path = word.contains(['/', '.', std::path::MAIN_SEPARATOR]);
    let is_path = looks_like_path && !word.starts_with('-') && stand.join(word).exists();
    absolute(word, stand).filter(|_| is_path)
}

/// Returns `None` for an absolute path, and for a path that a word cannot hold.
fn absolute(word: &str, stand: &Path) -> Option<String> {
    let path = Path::new(word);
    if path.is_absolute() || word.is_empty() {
        return None;
    }
    // Without `.` inside: the path is shown when the agent cannot be started.
    let path: std::path::PathBuf = stand.join(path).components().collect();
    path.to_str().map(ToOwned::to_owned)
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
                "my-agent --config=[F]/config.toml --model=fast",
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
