//! Rows of a list: a name, a reason and a description, a line each.

use crate::output::screen::{CAREFUL, FAINT, HELP};
use crate::output::text::shortened;
use clap::builder::styling::Style;
use unicode_width::UnicodeWidthStr as _;

/// The fewest columns of a name before a reason.
const SHORTEST: usize = 4;
/// The minimum width to which a long name is shortened, in cells.
const WIDEST_NAME: usize = 24;
/// The minimum number of cells for a description. With less room the description is left out.
const LEAST: usize = 12;

/// A row. Its strings are safe for a terminal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Row {
    pub(crate) text: String,
    pub(crate) description: String,
    /// The state of a skill that cannot be started, such as `untrusted`; empty if it can be started.
    pub(crate) reason: String,
    /// True for a command that runs a scheduled skill manually.
    pub(crate) scheduled: bool,
}

/// The area and the colours of the drawn rows.
#[derive(Clone, Copy)]
pub(crate) struct Look {
    /// The width of a line in cells.
    pub(crate) width: usize,
    /// The maximum number of lines.
    pub(crate) height: usize,
    /// The gap between the name and the description, in cells.
    pub(crate) gap: usize,
    pub(crate) colour: bool,
}

/// Draws the rows around the selected row, at most `look.height` lines. The last line has the number of
/// hidden rows.
pub(crate) fn lines(rows: &[Row], selected: Option<usize>, look: Look) -> Vec<String> {
    let shown = if rows.len() > look.height && look.height > 1 {
        look.height - 1
    } else {
        rows.len().min(look.height)
    };
    let first = selected.map_or(0, |at| (at + 1).saturating_sub(shown));
    let seen = rows.iter().enumerate().skip(first).take(shown);
    let names = seen.clone().map(|(_, row)| row.text.width()).max();
    let room = look.width.saturating_sub(2);
    // Bounded, so that one long name leaves room for the descriptions.
    let most = (look.width / 3).max(WIDEST_NAME).min(room);
    let names = names.unwrap_or_default().min(most);
    let mut lines: Vec<String> = seen
        .map(|(at, row)| line(row, selected == Some(at), names, look))
        .collect();
    let rest = rows.len() - lines.len();
    if rest > 0 && look.height > 1 {
        let text = format!("  {rest} more: type on, or use the arrows");
        let text = shortened(&text, Some(look.width));
        lines.push(painted(FAINT, &text, look.colour));
    }
    lines
}

fn line(row: &Row, is_selected: bool, names: usize, look: Look) -> String {
    let (mark, base) = match (is_selected, row.reason.is_empty()) {
        (true, _) => ("> ", HELP),
        (false, true) if row.scheduled => ("  ", CAREFUL),
        (false, true) => ("  ", Style::new()),
        (false, false) => ("  ", FAINT),
    };
    let (least, about) = match row.reason.width() {
        0 => (LEAST, row.description.clone()),
        reason => (reason + 2, format!("({}) {}", row.reason, row.description)),
    };
    let before = mark.len() + look.gap;
    // A reason stays whole in a narrow terminal: the name is shortened before it.
    let names = match look.width.saturating_sub(before + least) {
        room if !row.reason.is_empty() && room >= SHORTEST => names.min(room),
        _ => names,
    };
    let name = shortened(&row.text, Some(names));
    let mut line = painted(base, &format!("{mark}{name}"), look.colour);
    let room = look.width.saturating_sub(before + names);
    if room >= least && !about.is_empty() {
        let missing = names.saturating_sub(name.width());
        line.push_str(&" ".repeat(missing + look.gap));
        // With little room, the reason alone: an ellipsis would cut it.
        let about = if !row.reason.is_empty() && room < least + 3 {
            format!("({})", row.reason)
        } else {
            shortened(about.trim_end(), Some(room)).into_owned()
        };
        line.push_str(&painted(FAINT, &about, look.colour));
    }
    line
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

    fn row(text: &str, reason: &str) -> Row {
        Row {
            text: text.to_owned(),
            description: "Reviews code for faults. Use before a merge.".to_owned(),
            reason: reason.to_owned(),
            scheduled: false,
        }
    }

    fn look(width: usize, height: usize) -> Look {
        Look {
            width,
            height,
            gap: 2,
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
            let is_whole = drawn(width)[1].contains("(disabled)");
            assert!(is_whole || width < 18, "{width}");
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
            ..row("/sched-daily-1a2b3c4d", "")
        };
        let drawn = |selected, colour| {
            let look = Look {
                colour,
                ..look(80, 9)
            };
            lines(std::slice::from_ref(&scheduled), selected, look).remove(0)
        };
        let name = "\u{1b}[1m\u{1b}[35m  /sched-daily-1a2b3c4d\u{1b}[0m";
        assert!(drawn(None, true).contains(name), "{:?}", drawn(None, true));
        // A selected row looks the same, scheduled or not.
        assert!(!drawn(Some(0), true).contains("\u{1b}[35m"));
        assert!(!drawn(None, false).contains('\u{1b}'));
    }
}
