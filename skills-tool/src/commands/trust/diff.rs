//! Shows what changed since a person trusted a skill.

use crate::commands::trust::call::Call;
use crate::commands::trust::target::skill;
use crate::outcome::{Failure, Outcome};
use crate::output::{Output, one_line};
use std::collections::BTreeMap;
use std::io::Write as _;

/// Unchanged lines that are shown around a change.
const AROUND: usize = 3;

impl Call<'_> {
    pub(crate) fn print_diff(
        &self,
        ids: &[String],
        output: &mut Output,
    ) -> Result<Outcome, Failure> {
        for id in ids {
            let entry = skill(self.catalog, self.environment, id)?;
            let id = one_line(id);
            let Some(before) = self.record_of(&entry) else {
                return Err(Failure::not_so(
                    format_args!("skill '{id}' was never trusted"),
                    format_args!("`skills show {id}` shows all of it"),
                ));
            };
            let plain = self.plain(&entry).unwrap_or(entry);
            let now = plain
                .trust_record()
                .map_err(|error| Failure::not_so(error, "remove what cannot be trusted"))?;
            let changes = before.difference(&now);
            if changes.is_empty() {
                writeln!(output, "{id} has not changed since it was trusted")?;
                continue;
            }
            let kept = self.texts.as_ref().map(|texts| texts.texts(before));
            let kept: BTreeMap<String, String> = kept.unwrap_or_default();
            let read = |path: &String| {
                let bytes = plain.read(path).ok()?.into_owned();
                String::from_utf8(bytes).ok()
            };
            for path in &changes.changed {
                file("changed", path, kept.get(path).cloned(), read(path), output)?;
            }
            for path in &changes.added {
                file("added", path, Some(String::new()), read(path), output)?;
            }
            for path in &changes.removed {
                let old = kept.get(path).cloned();
                file("removed", path, old, Some(String::new()), output)?;
            }
        }
        Ok(Outcome::Done)
    }
}

fn file(
    what: &str,
    path: &str,
    old: Option<String>,
    new: Option<String>,
    output: &mut Output,
) -> Result<(), Failure> {
    let heading = format!("{what} {}", one_line(path));
    writeln!(output, "{}", output.strong(heading))?;
    match (old, new) {
        (Some(old), Some(new)) => {
            output.foreign(&lines(&old, &new))?;
        }
        (None, Some(new)) => {
            writeln!(output, "  the trusted text was not kept; the text now:")?;
            output.foreign(&lines("", &new))?;
        }
        (_, None) => writeln!(output, "  it is not a text")?,
    }
    Ok(())
}

/// The lines that differ, with the lines around them. What is the same at the beginning and at the end is
/// left out; what lies between is shown as removed and added.
fn lines(old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (old.lines().collect(), new.lines().collect());
    let same =
        |pairs: &mut dyn Iterator<Item = (&&str, &&str)>| pairs.take_while(|(a, b)| a == b).count();
    let before = same(&mut old.iter().zip(&new));
    let left = old.len().min(new.len()) - before;
    let after = same(&mut old.iter().rev().zip(new.iter().rev()).take(left));
    let mut text = String::new();
    let mut push = |sign: &str, lines: &[&str]| {
        for line in lines {
            text.push_str(sign);
            text.push_str(line);
            text.push('\n');
        }
    };
    let part = |lines: &'_ [&'_ str], from: usize, to: usize| -> Vec<String> {
        let lines = lines.get(from..to).unwrap_or_default();
        lines.iter().map(ToString::to_string).collect()
    };
    for (sign, lines) in [
        ("  ", part(&old, before.saturating_sub(AROUND), before)),
        ("- ", part(&old, before, old.len() - after)),
        ("+ ", part(&new, before, new.len() - after)),
        (
            "  ",
            part(
                &new,
                new.len() - after,
                new.len() - after + after.min(AROUND),
            ),
        ),
    ] {
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        push(sign, &lines);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::lines;

    #[test]
    fn shows_what_differs() {
        let old = "1\n2\n3\n4\nold\n5\n6\n7\n8\n";
        let new = old.replace("old", "new\nmore");
        let shown = "  2\n  3\n  4\n- old\n+ new\n+ more\n  5\n  6\n  7\n";
        assert_eq!(lines(old, &new), shown);
        assert_eq!(lines("", "a\nb"), "+ a\n+ b\n");
        assert_eq!(lines("a\na\n", "a\n"), "  a\n- a\n");
        assert_eq!(lines("a", "a\n"), "  a\n");
    }
}
