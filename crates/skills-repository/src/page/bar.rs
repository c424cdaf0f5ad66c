//! The catalog text as bars: the share of each skill, and the part of it that each client shows.

use crate::page::data::PageSkill;
use crate::page::escape::shortened;
use crate::page::geometry::{Rect, fitted, real, wrapped};
use crate::page::html::{Html, counted, grouped, html};
use crate::page::skills::MAX_NAME;
use skills_clients::listing::{Cut, Shown};

/// The bar of one client.
pub(crate) struct Row<'r> {
    pub(crate) title: &'r str,
    pub(crate) cut: &'r Cut,
}

/// The left edge and the length of a bar.
const LEFT: f64 = 2.0;
const LENGTH: f64 = 596.0;
/// The distance of two bars, the height of a bar, and the room above a bar for its label.
const STEP: f64 = 46.0;
const HEIGHT: f64 = 18.0;
const ABOVE: f64 = 20.0;
/// Minimum width of a piece. Narrower skills are joined with their neighbours.
const NARROWEST: f64 = 3.0;
/// Maximum number of names in the title of a piece.
const MAX_NAMES: usize = 8;
/// The drawn share of the height for a skill that is shown by its name alone.
const BARE: f64 = 0.12;

/// A piece of a bar: consecutive skills.
struct BarPiece {
    x: f64,
    width: f64,
    skills: std::ops::Range<usize>,
}

/// Draws the bars. `number` keeps the ids of the picture unique on the page.
pub(crate) fn draw(out: &mut Html, skills: &[&PageSkill], rows: &[Row<'_>], number: usize) {
    let bar = Bar::new(skills);
    let height = STEP * real(rows.len() + 1) + 6.0;
    html!(out,
        "<svg class=\"wide bars\" viewBox=\"0 0 600 " (height) "\" role=\"img\" aria-labelledby=\"bar-title-" (number)
        "\">\n<title id=\"bar-title-" (number) "\">The catalog text, and what each client shows of it. The table below "
        "says the same.</title>\n<defs><pattern id=\"cut-" (number) "\" width=\"6\" height=\"6\" "
        "patternUnits=\"userSpaceOnUse\" patternTransform=\"rotate(45)\"><path class=\"hatch\" d=\"M0 0V6\"/></pattern>"
        "</defs>\n"
    );
    bar.shares(out);
    for (at, row) in rows.iter().enumerate() {
        bar.row(out, row, STEP * real(at + 1), number);
    }
    html!(out, "</svg>\n");
}

/// The skills, placed along one length by the length of their text.
struct Bar<'b> {
    skills: &'b [&'b PageSkill],
    /// The left edge of each skill's share, then the right edge of the last share.
    starts: Vec<f64>,
}

impl<'b> Bar<'b> {
    fn new(skills: &'b [&'b PageSkill]) -> Self {
        let length =
            |skill: &&PageSkill| skill.name.chars().count() + skill.description.chars().count() + 1;
        let total: usize = skills.iter().map(length).sum();
        let mut starts = vec![LEFT];
        let mut sum = 0;
        for skill in skills {
            sum += length(skill);
            starts.push(LEFT + LENGTH * real(sum) / real(total.max(1)));
        }
        Self { skills, starts }
    }

    /// Returns the place of a range of skills.
    fn piece(&self, skills: std::ops::Range<usize>) -> BarPiece {
        let at = |number: usize| self.starts.get(number).copied().unwrap_or(LEFT);
        BarPiece {
            x: at(skills.start),
            width: at(skills.end) - at(skills.start),
            skills,
        }
    }

    /// Draws the first bar: the share of each skill.
    fn shares(&self, out: &mut Html) {
        label(out, "The whole list: the share of each skill", 0.0);
        let mut start = 0;
        let mut shade = 0;
        for end in 1..=self.skills.len() {
            let piece = self.piece(start..end);
            if piece.width < NARROWEST && end < self.skills.len() {
                continue;
            }
            start = end;
            shade = (shade + 1) % 2;
            let class = if shade == 0 { "even" } else { "odd" };
            let rect = Rect::new(piece.x, ABOVE, piece.width, HEIGHT);
            shape(out, class, rect);
            html!(out, "<title>" (self.names(&piece)) "</title></rect>");
            let skill = self
                .skills
                .get(piece.skills.start)
                .filter(|_| piece.skills.len() == 1);
            let name = skill.and_then(|skill| wrapped(&skill.name, piece.width - 6.0, 1));
            for name in name.iter().flatten() {
                html!(out, "<text x=\"" (piece.x + 3.0) "\" y=\"" (ABOVE + 13.0) "\">" (name) "</text>");
            }
        }
        html!(out, "\n");
    }

    fn names(&self, piece: &BarPiece) -> String {
        let skills = self.skills.get(piece.skills.clone()).unwrap_or_default();
        let mut names: Vec<String> = skills
            .iter()
            .take(MAX_NAMES)
            .map(|skill| shortened(&skill.name, MAX_NAME))
            .collect();
        if skills.len() > MAX_NAMES {
            names.push(format!("{} more", grouped(skills.len() - MAX_NAMES)));
        }
        names.join(", ")
    }

    /// Draws the bar of a client. Consecutive skills that are shown in the same way form one piece.
    fn row(&self, out: &mut Html, Row { title, cut }: &Row<'_>, y: f64, number: usize) {
        label(out, &format!("{title}: {}", left(cut)), y);
        let y = y + ABOVE;
        let mut start = 0;
        while let Some(first) = cut.skills.get(start) {
            let rest = cut.skills.get(start..).unwrap_or_default();
            let run = rest
                .iter()
                .take_while(|kept| kept.shown == first.shown)
                .count();
            self.run(out, cut, start..start + run, y, number);
            start += run;
        }
        let x = LEFT + LENGTH * (real(cut.budget) / real(cut.whole.max(1))).min(1.0);
        if cut.budget < cut.whole {
            html!(out,
                "<path class=\"limit\" d=\"M" (x) " " (y - 4.0) "V" (y + HEIGHT + 4.0) "\"><title>budget: "
                (grouped(cut.budget)) " " (cut.unit.as_str()) "</title></path>"
            );
        }
    }

    fn run(
        &self,
        out: &mut Html,
        cut: &Cut,
        skills: std::ops::Range<usize>,
        y: f64,
        number: usize,
    ) {
        let kept = cut.skills.get(skills.clone()).unwrap_or_default();
        let Some(first) = kept.first() else {
            return;
        };
        let all = self.skills.get(skills.clone()).unwrap_or_default();
        let piece = self.piece(skills);
        let (what, part) = match first.shown {
            Shown::Whole => ("whole", 1.0),
            Shown::Bare => ("name alone", BARE),
            Shown::Gone => ("left out", 0.0),
            _ => {
                let left: usize = kept
                    .iter()
                    .map(|kept| kept.description.chars().count())
                    .sum();
                let whole: usize = all
                    .iter()
                    .map(|skill| skill.description.chars().count())
                    .sum();
                (
                    "shortened",
                    (real(left) / real(whole.max(1))).clamp(BARE, 1.0),
                )
            }
        };
        html!(out, "<g><title>" (what) ": " (counted(kept.len(), "skill")) " (" (self.names(&piece)) ")</title>");
        let rect = Rect::new(piece.x, y, piece.width, HEIGHT);
        if first.shown == Shown::Gone {
            shape(out, "gone", rect);
            html!(out, "</rect>");
        } else {
            if part < 1.0 {
                html!(out,
                    "<rect class=\"lost\" fill=\"url(#cut-" (number) ")\" x=\"" (rect.x) "\" y=\"" (rect.y) "\" width=\""
                    (rect.width) "\" height=\"" (rect.height) "\"/>"
                );
            }
            shape(out, "kept", rect.below(HEIGHT * (1.0 - part)));
            html!(out, "</rect>");
        }
        html!(out, "</g>");
    }
}

/// Writes the start tag of a rectangle. The caller writes the end tag.
fn shape(out: &mut Html, class: &'static str, rect: Rect) {
    html!(out,
        "<rect class=\"" (class) "\" x=\"" (rect.x) "\" y=\"" (rect.y) "\" width=\"" (rect.width) "\" height=\""
        (rect.height) "\">"
    );
}

fn label(out: &mut Html, text: &str, y: f64) {
    let text = fitted(text, LENGTH).unwrap_or_default();
    html!(out, "<text class=\"of-row\" x=\"" (LEFT) "\" y=\"" (y + 14.0) "\">" (text) "</text>");
}

/// Summarizes what a client shows of the list.
fn left(cut: &Cut) -> String {
    let count = |shown: Shown| {
        let skills = cut.skills.iter().filter(|kept| kept.shown == shown);
        skills.count()
    };
    let kinds = [
        (Shown::Shortened, "shortened"),
        (Shown::Bare, "by name alone"),
        (Shown::Gone, "left out"),
    ];
    let kinds = kinds.into_iter().filter(|(shown, _)| count(*shown) > 0);
    let lost: Vec<String> = kinds
        .map(|(shown, what)| format!("{} {what}", grouped(count(shown))))
        .collect();
    let percent = cut.budget.saturating_mul(100) / cut.whole.max(1);
    match (cut.budget < cut.whole, lost.as_slice()) {
        (false, []) => "shows all of it".to_owned(),
        (false, lost) => lost.join(", "),
        (true, lost) => format!("has room for {percent} % of it; {}", lost.join(", ")),
    }
}
