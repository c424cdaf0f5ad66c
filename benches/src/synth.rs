use crate::words::Words;
use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

/// Writes `synth-N` below a folder: `count` valid skills, each a `SKILL.md` of 6.5 KB with a
/// description of 300 characters, and two files that it links. The same count gives the same bytes.
pub fn synth(folder: &Path, count: usize) -> io::Result<()> {
    for number in 0..count {
        let mut words = Words(number as u64 + 1);
        let name = format!("skill-{number:05}");
        let dir = folder.join(&name);
        fs::create_dir_all(dir.join("references"))?;
        fs::write(dir.join("SKILL.md"), words.skill(&name))?;
        fs::write(dir.join("references/guide.md"), words.guide())?;
        fs::write(dir.join("references/checklist.md"), words.checklist())?;
    }
    Ok(())
}

/// Writes `count` valid skills with nothing but a name, a description of 300 characters and one sentence.
pub fn synth_plain(folder: &Path, count: usize) -> io::Result<()> {
    for number in 0..count {
        let mut words = Words(number as u64 + 1);
        let dir = folder.join(format!("skill-{number:05}"));
        let mut description = format!("Use when {}", words.take(60));
        description.truncate(300);
        let text = format!(
            "---\nname: skill-{number:05}\ndescription: {}\n---\n\n{}.\n",
            description.trim_end(),
            words.take(12)
        );
        fs::create_dir_all(&dir)?;
        fs::write(dir.join("SKILL.md"), text)?;
    }
    Ok(())
}

impl Words {
    fn skill(&mut self, name: &str) -> String {
        let mut description = format!("Use when {}", self.take(60));
        description.truncate(300);
        let mut text = format!(
            "---\nname: {name}\ndescription: {}\n---\n\n",
            description.trim_end()
        );
        let _ = write!(
            text,
            "# {}\n\nRead [the guide](references/guide.md), then [the list](references/checklist.md).\n\n",
            self.take(3)
        );
        while text.len() < 6_400 {
            let _ = write!(
                text,
                "## {}\n\n{}.\n\n- `{}` {}\n- **{}** {}\n\n```sh\n{}\n```\n\n",
                self.take(4),
                self.take(60),
                self.take(2),
                self.take(12),
                self.take(2),
                self.take(12),
                self.take(6)
            );
        }
        text
    }

    fn guide(&mut self) -> String {
        format!("# Guide\n\n{}\n", self.take(300))
    }

    fn checklist(&mut self) -> String {
        let mut text = String::from("# Checklist\n\n");
        for _ in 0..30 {
            let _ = writeln!(text, "- {}", self.take(8));
        }
        text
    }
}
