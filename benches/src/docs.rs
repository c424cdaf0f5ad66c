use crate::words::Words;
use std::fmt::Write as _;
use std::path::Path;
use std::{fs, io};

/// The number of folders of the pages.
const SUBJECTS: usize = 24;

/// Writes one valid skill with so many Markdown files: the documentation of a product, a page a file. A page has 14 KB,
/// most of it program text, and 15 links, most of them to other pages. The same count gives the same bytes.
pub fn synth_docs(folder: &Path, files: usize) -> io::Result<()> {
    // The `SKILL.md` is one of the files.
    let pages: Vec<String> = (1..files).map(path).collect();
    fs::create_dir_all(folder)?;
    fs::write(folder.join("SKILL.md"), Words(7).index(&pages))?;
    for (number, page) in pages.iter().enumerate() {
        let path = folder.join(page);
        if let Some(above) = path.parent() {
            fs::create_dir_all(above)?;
        }
        fs::write(path, Words(number as u64 + 8).page(&pages))?;
    }
    Ok(())
}

fn path(number: usize) -> String {
    let subject = number % SUBJECTS;
    match number / SUBJECTS {
        0 => format!("subject-{subject:02}.md"),
        page if page.is_multiple_of(4) => format!("subject-{subject:02}/more/page-{number:03}.md"),
        _ => format!("subject-{subject:02}/page-{number:03}.md"),
    }
}

impl Words {
    /// The `SKILL.md`, which links every page.
    fn index(&mut self, pages: &[String]) -> String {
        let mut text = format!(
            "---\nname: docs\ndescription: Use when {}.\n---\n\n# Documentation\n\n",
            self.take(30)
        );
        for page in pages {
            let _ = writeln!(text, "- [{}](./{page})", self.take(3));
        }
        text
    }

    fn page(&mut self, pages: &[String]) -> String {
        let mut text = format!(
            "> One page of the documentation. See [the index](https://example.org/docs/index.md).\n\n\
             **Navigation:** {} > {}\n\n---\n\n# {}\n\n",
            self.link(pages),
            self.link(pages),
            self.take(3)
        );
        let mut step = 0;
        while text.len() < 14_000 {
            step += 1;
            let _ = write!(
                text,
                "## Step {step}\n\n{}. Call `{}()` with `{}`, as {} does. It is in \
                 [the sources](https://example.org/tree/release-$VERSION$/{step}).\n\n",
                self.take(40),
                self.take(1),
                self.take(2),
                self.link(pages),
            );
            text += "```typescript\n";
            for _ in 0..20 {
                let _ = writeln!(
                    text,
                    "  const {} = await engine.{}.{}('{}', {{ {}: {step} }});",
                    self.take(1),
                    self.take(1),
                    self.take(1),
                    self.take(3),
                    self.take(1),
                );
            }
            text += "```\n\n| option | type | use |\n|---|---|---|\n";
            for _ in 0..4 {
                let _ = writeln!(
                    text,
                    "| `{}` | `{} \\| {}` | {} |",
                    self.take(1),
                    self.take(1),
                    self.take(1),
                    self.take(6)
                );
            }
            text += "\n";
        }
        text
    }

    /// A link to a page by its path from the folder of the skill, as generators of documentation write links.
    fn link(&mut self, pages: &[String]) -> String {
        let page = pages.get(self.below(pages.len()));
        format!(
            "[{}](./{})",
            self.take(3),
            page.map_or("SKILL.md", String::as_str)
        )
    }
}
