//! The rows of the menu as lines of a terminal.

use crate::commands::chat::live::Row;
use crate::output::fit::shortened;
use crate::output::style::{CAREFUL, FAINT, MATCHED, SELECTED};
use clap::builder::styling::Style;
use unicode_width::UnicodeWidthStr as _;

/// The gap between the name and the description, in cells.
const GAP: usize = 2;
/// The fewest columns of a name before a reason.
const SHORTEST: usize = 4;
/// The minimum width to which a long name is shortened, in cells.
const NAME: usize = 24;
/// The minimum number of cells for a description. With less room the description is left out.
const LEAST: usize = 12;

/// The area and the colours of the drawn rows.
#[derive(Clone, Copy)]
pub(crate) struct Look {
    /// The width of a line in cells.
    pub(crate) width: usize,
    /// The maximum number of lines.
    pub(crate) height: usize,
    pub(crate) colour: bool,
}

/// Draws the rows around the selected row, at most `look.height` lines. The last line has the number of
/// hidden rows.
pub(crate) fn lines(rows: &[Row], selected: Option<usize>, look: Look) -> Vec<String> {
    let shown = shown(rows.len(), look.height);
    let first = selected.map_or(0, |at| (at + 1).saturating_sub(shown));
    let seen: Vec<(usize, &Row)> = rows.iter().enumerate().skip(first).take(shown).collect();
    let names = seen.iter().map(|(_, row)| row.text.width()).max();
    let room = look.width.saturating_sub(2);
    // Bounded, so that one long name leaves room for the descriptions.
    let most = (look.width / 3).max(NAME).min(room);
    let names = names.unwrap_or_default().min(most);
    let mut lines: Vec<String> = seen
        .iter()
        .map(|&(at, row)| line(row, selected == Some(at), names, look))
        .collect();
    let rest = rows.len() - seen.len();
    if rest > 0 && look.height > 1 {
        let text = format!("  {rest} more: type on, or use the arrows");
        let text = shortened(&text, Some(look.width));
        lines.push(painted(FAINT, &text, look.colour));
    }
    lines
}

/// Returns how many rows fit into a height. The last line is reserved for the number of hidden rows.
fn shown(rows: usize, height: usize) -> usize {
    if rows > height && height > 1 {
        height - 1
    } else {
        rows.min(height)
    }
}

fn line(row: &Row, is_selected: bool, names: usize, look: Look) -> String {
    let mark = if is_selected { "> " } else { "  " };
    let base = match (is_selected, row.reason.is_empty()) {
        (true, _) => SELECTED,
        (false, true) if row.scheduled => CAREFUL,
        (false, true) => Style::new(),
        (false, false) => FAINT,
    };
    let mut line = painted(base, mark, look.colour);
    // A reason stays whole in a narrow terminal: the name is shortened before it.
    let reason = match row.reason.width() {
        0 => 0,
        width => width + "()".len(),
    };
    let names = match reason {
        0 => names,
        reason => match look.width.saturating_sub(mark.len() + GAP + reason) {
            // A reason without a name says nothing.
            0..SHORTEST => names,
            room => names.min(room),
        },
    };
    line.push_str(&name(row, base, names, look.colour));
    let used = mark.len() + names + GAP;
    let room = look.width.saturating_sub(used);
    let about = match (row.reason.as_str(), row.description.as_str()) {
        ("", about) => about.to_owned(),
        (reason, _) if room < reason.width() + 5 => format!("({reason})"),
        (reason, about) => format!("({reason}) {about}"),
    };
    if (room >= LEAST || reason > 0 && room >= reason) && !about.is_empty() {
        let missing = names.saturating_sub(row.text.width());
        line.push_str(&" ".repeat(missing + GAP));
        line.push_str(&painted(FAINT, &shortened(&about, Some(room)), look.colour));
    }
    line
}

/// Formats the name, with the typed letters marked.
fn name(row: &Row, base: Style, room: usize, colour: bool) -> String {
    let cut = shortened(&row.text, Some(room));
    // The spans are of the whole name, so a shortened name is not marked.
    if !colour || cut != row.text {
        return painted(base, &cut, colour);
    }
    let (mut name, mut at) = (String::new(), 0);
    for span in &row.matched {
        let (Some(plain), Some(hit)) = (
            row.text.get(at..span.start),
            row.text.get(span.start..span.end),
        ) else {
            break;
        };
        name.push_str(&painted(base, plain, colour));
        let style = base.fg_color(MATCHED.get_fg_color()).underline();
        name.push_str(&painted(style, hit, colour));
        at = span.end;
    }
    name.push_str(&painted(
        base,
        row.text.get(at..).unwrap_or_default(),
        colour,
    ));
    name
}

fn painted(style: Style, text: &str, colour: bool) -> String {
    if !colour || style.is_plain() || text.is_empty() {
        text.to_owned()
    } else {
        format!("{style}{text}{style:#}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use skills_runtime::resolve::Span;

    fn row(text: &str, reason: &str) -> Row {
        Row {
            text: text.to_owned(),
            matched: vec![Span::new(1, 3)],
            description: "Reviews code for faults. Use before a merge.".to_owned(),
            reason: reason.to_owned(),
            scheduled: false,
        }
    }

    fn look(width: usize, height: usize) -> Look {
        Look {
            width,
            height,
            colour: false,
        }
    }

    #[test]
    fn one_line_each_by_the_width() {
        let rows = [row("$code-review", ""), row("$検査", "disabled")];
        let drawn = |width| lines(&rows, Some(1), look(width, 9));
        assert_eq!(
            drawn(80),
            [
                "  $code-review  Reviews code for faults. Use before a merge.",
                "> $検査         (disabled) Reviews code for faults. Use before a merge.",
            ]
        );
        assert_eq!(
            drawn(40),
            [
                "  $code-review  Reviews code for…",
                "> $検査         (disabled) Reviews code…",
            ]
        );
        assert_eq!(drawn(20), ["  $code-review", "> $検査   (disabled)"]);
        assert_eq!(drawn(10), ["  $code-r…", "> $検査"]);
        for width in 0..90 {
            assert!(drawn(width).iter().all(|line| line.width() <= width.max(2)));
        }
    }

    #[test]
    fn the_selected_row_is_seen() {
        let rows: Vec<Row> = (0..30).map(|n| row(&format!("$skill-{n}"), "")).collect();
        for selected in [None, Some(0), Some(8), Some(9), Some(29)] {
            let lines = lines(&rows, selected, look(60, 10));
            assert_eq!(lines.len(), 10);
            assert_eq!(lines[9], "  21 more: type on, or use the arrows");
            let marked = lines.iter().filter(|line| line.starts_with("> ")).count();
            assert_eq!(marked, usize::from(selected.is_some()));
        }
        assert_eq!(lines(&rows, Some(7), look(60, 1)).len(), 1);
    }

    #[test]
    fn scheduled_skills_have_the_colour_of_a_warning() {
        let scheduled = Row {
            scheduled: true,
            matched: Vec::new(),
            ..row("/sched-daily-1a2b3c4d", "")
        };
        let drawn = |selected, colour| {
            let look = Look {
                colour,
                ..look(80, 9)
            };
            lines(std::slice::from_ref(&scheduled), selected, look).remove(0)
        };
        let name = "\u{1b}[1m\u{1b}[35m/sched-daily-1a2b3c4d\u{1b}[0m";
        assert!(drawn(None, true).contains(name), "{:?}", drawn(None, true));
        // A selected row looks the same, scheduled or not.
        assert!(!drawn(Some(0), true).contains("\u{1b}[35m"));
        assert!(!drawn(None, false).contains('\u{1b}'));
    }

    #[test]
    fn typed_letters_are_marked() {
        let rows = [row("$code-review", ""), row("$co", "needs git")];
        let look = Look {
            colour: true,
            ..look(80, 9)
        };
        let lines = lines(&rows, None, look);
        assert!(
            lines[0].starts_with("  $\u{1b}[4m\u{1b}[36mco\u{1b}[0mde-review  "),
            "{:?}",
            lines[0]
        );
        assert!(
            lines[1].starts_with("\u{1b}[2m  \u{1b}[0m\u{1b}[2m$\u{1b}[0m"),
            "{:?}",
            lines[1]
        );
    }
}
