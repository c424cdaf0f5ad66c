//! Colours for the mentions and commands in the line.

use crate::commands::chat::live::{Current, Live};
use crate::commands::chat::words::WORDS;
use nu_ansi_term::{Color, Style};
use reedline::{Highlighter, StyledText};
use skills_format::scan;
use skills_runtime::resolve::Surface;
use skills_session::resolve::Effect;
use std::ops::Range;
use std::sync::Arc;

/// The maximum length of a coloured line, in bytes. The line is scanned again at each key.
const MOST: usize = 16 * 1024;

/// A highlighter for mentions of existing skills, and for slash commands.
pub(crate) struct SkillHighlighter {
    live: Arc<Live>,
}

impl SkillHighlighter {
    pub(crate) fn new(live: Arc<Live>) -> Self {
        Self { live }
    }
}

impl Highlighter for SkillHighlighter {
    fn highlight(&self, line: &str, _cursor: usize) -> StyledText {
        // A tab has no fixed width. One byte replaces one byte, because the cursor counts bytes.
        let shown = line.replace('\t', " ");
        let mut text = StyledText::new();
        let mut at = 0;
        for range in named(&self.live.current(), line) {
            let (Some(before), Some(name)) = (shown.get(at..range.start), shown.get(range.clone()))
            else {
                break;
            };
            text.push((Style::new(), before.to_owned()));
            text.push((Style::new().bold().fg(Color::Cyan), name.to_owned()));
            at = range.end;
        }
        text.push((Style::new(), shown.get(at..).unwrap_or_default().to_owned()));
        text
    }
}

/// Returns the byte ranges that name a skill or a command.
fn named(current: &Current, line: &str) -> Vec<Range<usize>> {
    if line.len() > MOST {
        return Vec::new();
    }
    if let Some(word) = line.strip_prefix('/') {
        let end = word.find(char::is_whitespace).unwrap_or(word.len());
        let name = word.get(..end).unwrap_or_default();
        let is_own = WORDS.iter().any(|word| word.name == name);
        let found = current
            .profile
            .resolve(&current.catalog, line, Surface::User);
        let is_skills = matches!(found.effect, Effect::Command | Effect::Dispatch(_));
        if is_own || is_skills {
            return std::iter::once(0..end + 1).collect();
        }
    }
    if !current.profile.mentions.mentions {
        return Vec::new();
    }
    let found = scan(line, &|id| current.knows(id));
    let found = found.iter().filter(|found| found.is_mention());
    let known = found.filter(|found| current.knows(&found.key()));
    known.map(|found| found.span.range()).collect()
}
