use std::fs;
use std::io;
use std::path::Path;

/// A generator of valid skills that are as unusual as possible. The same seed gives the same skills.
#[derive(Debug)]
pub struct Random(u64);

const WORDS: &[&str] = &[
    "parser",
    "stack trace",
    "commit",
    "Überblick",
    "代码",
    "naïve",
    "\"quoted\"",
    "back\\slash",
    "a: b",
    "#hash",
    "it's",
    "{brace}",
    "emoji 🦀",
    "tab\there",
    "e\u{301}",
    "100 %",
    "- dash",
    "[list]",
    "<tag>",
    "C:",
    "*star*",
    "|",
    ">",
    "&and",
    "~",
    "null",
    "1.10",
];
const NAMES: &[&str] = &[
    "notes", "a b", "größe", "x-1", "x", "x.y", "README", "[1]", "{a}", "字",
];

impl Random {
    /// Makes a generator from a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// Returns a number below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or(0) % end
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn words(&mut self, most: usize) -> String {
        let count = 1 + self.below(most);
        let words: Vec<_> = (0..count).map(|_| self.one(WORDS)).collect();
        words.join(" ")
    }

    /// Writes `count` skills below a folder, some of them in folders of categories.
    pub fn skills(&mut self, folder: &Path, count: usize) -> io::Result<()> {
        for i in 0..count {
            let stem = self.one(&["skill", "3d", "übersicht", "代码", "a"]);
            let name = format!("{stem}-{i}");
            let category = self.one(&["", "", "writing", "more/deep", "ö ö"]);
            let dir = folder.join(category).join(&name);
            fs::create_dir_all(&dir)?;
            fs::write(dir.join("SKILL.md"), self.skill(&name))?;
            for _ in 0..self.below(5) {
                self.file(&dir)?;
            }
        }
        Ok(())
    }

    fn skill(&mut self, name: &str) -> String {
        let mut text = String::from("---\n");
        let description = self.scalar(12);
        let mut fields = vec![
            format!("name: {name}"),
            format!("description: {description}"),
        ];
        for (key, percent) in [
            ("license", 30),
            ("compatibility", 10),
            ("argument-hint", 20),
        ] {
            if self.chance(percent) {
                let value = self.scalar(3);
                fields.push(format!("{key}: {value}"));
            }
        }
        let more = [
            "user-invocable: false",
            "disable-model-invocation: true",
            "version: 1.10",
            "allowed-tools: Read Bash(git add:*)",
            "allowed-tools:\n  - Read\n  - Grep",
            "tags: [a, 'b c', 1]",
            "paths:\n- '*.rs'",
            "triggers: {deep: {deeper: [1, 2.50, ~, yes, 0x1F]}}",
            "command-dispatch: tool\ncommand-tool: exec",
            "hooks:\n  before: 'echo \"x\"'",
        ];
        for field in more {
            if self.chance(12)
                && !fields
                    .iter()
                    .any(|f| f.split(':').next() == field.split(':').next())
            {
                fields.push(field.to_owned());
            }
        }
        if self.chance(40) {
            fields.push(format!(
                "metadata:\n  aliases: also-{name}\n  note: |\n    two\n    lines"
            ));
        }
        if self.chance(30) {
            fields.swap(0, 1);
        }
        text.push_str(&fields.join("\n"));
        text.push_str("\n---\n");
        text.push_str(self.one(&["", "\n", "\n\n"]));
        text.push_str("# A title\n\n");
        for _ in 0..self.below(8) {
            text.push_str(&self.words(20).replace(['[', '<', '*', '{'], "("));
            text.push_str(self.one(&["\n", "\n\n", "  \n", "\n\n```text\n---\n```\n\n"]));
        }
        match self.below(10) {
            0 => text = text.replace('\n', "\r\n"),
            1 => text.insert(0, '\u{FEFF}'),
            2 => text.push_str("\n\n  \n"),
            _ => {}
        }
        text
    }

    /// Renders a text as YAML, in one of the possible styles.
    fn scalar(&mut self, most: usize) -> String {
        let text = self.words(most);
        match self.below(5) {
            0 => format!("'{}'", text.replace('\'', "''").replace('\t', " ")),
            1 => {
                let text = text
                    .replace('\\', "\\\\")
                    .replace('"', "\\\"")
                    .replace('\t', "\\t");
                format!("\"{text} \\u00e9\"")
            }
            2 => format!("|\n  Use when {text}\n\n  More of it.\n"),
            3 => format!(">-\n  Use when {text}\n  and more.\n"),
            _ => "Use when the plain words\n  run over two lines".to_owned(),
        }
    }

    fn file(&mut self, dir: &Path) -> io::Result<()> {
        let mut path = dir.to_owned();
        for _ in 0..self.below(4) {
            path.push(self.one(&["references", "x", "ä b", "assets"]));
        }
        fs::create_dir_all(&path)?;
        let name = format!("{}-{}.md", self.one(NAMES), self.below(1000));
        let bytes: Vec<u8> = (0..=u8::MAX).map(|byte| byte.wrapping_mul(37)).collect();
        let bytes = bytes.get(..self.below(256)).unwrap_or_default();
        fs::write(path.join(name), bytes)
    }
}
