//! The files of all skills by size, as a treemap and in words.

use crate::page::counts::PageIndex;
use crate::page::data::{PageFile, PageSkill};
use crate::page::escape::shortened;
use crate::page::geometry::{Rect, real, wrapped};
use crate::page::html::{Html, bytes, counted, grouped, html};
use crate::page::skills::{MAX_NAME, MAX_SKILLS};
use crate::page::treemap::squarified;

/// The bounds of the picture.
const WHOLE: Rect = Rect {
    x: 0.0,
    y: 0.0,
    width: 960.0,
    height: 540.0,
};
/// Maximum number of skills with an area of their own.
const MAX_AREAS: usize = 600;
/// Maximum number of files with an area of their own.
const MAX_FILES: usize = 240;
/// Files below this fraction of the total size, 1 in 4,000, are joined.
const LEAST_SHARE: u64 = 4000;
/// Maximum number of files listed in words.
const MAX_LISTED: usize = 20;
/// The height of the line with the name of a skill.
const LINE: f64 = 15.0;
/// Minimum area of a box whose files are drawn.
const LEAST_AREA: f64 = 2400.0;
/// The width of bold text, relative to regular text.
const BOLD: f64 = 1.12;
/// Maximum characters of a path.
const MAX_PATH: usize = 120;

/// The files of one skill, or of several small skills.
struct Area {
    name: String,
    size: u64,
    files: Vec<FilePiece>,
}

/// One file, or several small files.
struct FilePiece {
    label: String,
    size: u64,
    is_joined: bool,
}

pub(crate) fn render(index: &PageIndex<'_>) -> Option<Html> {
    let total = index.sum(PageSkill::size)?.sum;
    if total == 0 {
        return None;
    }
    let areas = areas(index, total);
    let mut out = Html::default();
    html!(out,
        "<p>" (bytes(total))
        " in all. Each box is a skill, each area in it a file.</p>\n<figure><div class=\"scroll\" "
        "role=\"group\" aria-label=\"Picture of the weight\" tabindex=\"0\">\n<svg class=\"wide "
        "treemap\" viewBox=\"0 0 960 540\" role=\"img\" aria-labelledby=\"treemap-title\">\n<title "
        "id=\"treemap-title\">Files by size. The table below lists the largest files.</title>\n"
    );
    let sizes: Vec<f64> = areas.iter().map(|area| length(area.size)).collect();
    for (number, (area, rect)) in areas.iter().zip(squarified(&sizes, WHOLE)).enumerate() {
        area.draw(&mut out, rect.inset(1.0), number % 4);
    }
    html!(out,
        "</svg>\n</div><figcaption>The colours only tell neighbours apart. Dashed: several small files together."
        "</figcaption></figure>\n"
    );
    largest(&mut out, index, total);
    Some(out)
}

/// Returns every file with its size and the number of its skill, the largest first.
fn by_size<'p>(index: &PageIndex<'p>) -> Vec<(u64, usize, &'p PageFile)> {
    let skills = index.skills.iter().enumerate();
    let mut files: Vec<_> = skills
        .flat_map(|(at, listed)| {
            let files = listed.skill.files.iter().flatten();
            files.map(move |file| (file.size, at, file))
        })
        .collect();
    files.sort_by(|(a, i, one), (b, j, other)| {
        b.cmp(a).then(i.cmp(j)).then(one.path.cmp(&other.path))
    });
    files
}

/// Returns the areas in descending order of size.
fn areas(index: &PageIndex<'_>, total: u64) -> Vec<Area> {
    let mut files = by_size(index);
    let mut skills: Vec<(u64, usize)> = index
        .skills
        .iter()
        .enumerate()
        .map(|(at, listed)| (listed.skill.size().unwrap_or_default(), at))
        .collect();
    skills.sort_by_key(|(size, at)| (u64::MAX - size, *at));
    files.retain(|(size, ..)| *size > total / LEAST_SHARE);
    files.truncate(MAX_FILES);
    let (own, small) = skills.split_at(skills.len().min(MAX_AREAS));
    let mut areas: Vec<Area> = own
        .iter()
        .filter_map(|&(size, at)| {
            let skill = index.skills.get(at)?.skill;
            let mut pieces: Vec<FilePiece> = files
                .iter()
                .filter(|(_, of, _)| *of == at)
                .map(|(size, _, file)| FilePiece {
                    label: shortened(&file.path, MAX_PATH),
                    size: *size,
                    is_joined: false,
                })
                .collect();
            let rest = size - pieces.iter().map(|piece| piece.size).sum::<u64>();
            let others = skill.files.as_ref().map_or(0, Vec::len) - pieces.len();
            if rest > 0 {
                pieces.push(FilePiece {
                    label: counted(others, "smaller file"),
                    size: rest,
                    is_joined: true,
                });
                pieces.sort_by_key(|piece| u64::MAX - piece.size);
            }
            Some(Area {
                name: shortened(&skill.name, MAX_NAME),
                size,
                files: pieces,
            })
        })
        .collect();
    let size = small.iter().map(|(size, _)| size).sum();
    if size > 0 {
        let name = counted(small.len(), "smaller skill");
        let label = "their files".to_owned();
        areas.push(Area {
            name,
            size,
            files: vec![FilePiece {
                label,
                size,
                is_joined: true,
            }],
        });
        areas.sort_by_key(|area| u64::MAX - area.size);
    }
    areas
}

/// Converts a size to a length.
fn length(size: u64) -> f64 {
    real(usize::try_from(size).unwrap_or(usize::MAX))
}

impl Area {
    fn draw(&self, out: &mut Html, rect: Rect, shade: usize) {
        if rect.width < 0.5 || rect.height < 0.5 {
            return;
        }
        html!(out, "<g class=\"area a" (shade) "\">");
        let is_small = rect.area() < LEAST_AREA;
        shape(out, if is_small { "file" } else { "box" }, rect);
        html!(out, "<title>" (self.name) ": " (bytes(self.size)) "</title></rect>");
        if is_small {
            html!(out, "</g>\n");
            return;
        }
        // At least a third of the height is left for the files.
        let lines = [(1, 3.0), (2, 4.0), (3, 5.0)]
            .into_iter()
            .filter(|(_, least)| rect.height > least * LINE)
            .find_map(|(most, _)| wrapped(&self.name, (rect.width - 8.0) / BOLD, most));
        let mut inside = rect.inset(2.0);
        for (line, number) in lines.iter().flatten().zip(0_u8..) {
            let below = f64::from(number) * LINE;
            text(out, "skill", rect.x + 4.0, rect.y + below + 11.5, line);
            inside = rect.below(below + LINE).inset(2.0);
        }
        let sizes: Vec<f64> = self.files.iter().map(|file| length(file.size)).collect();
        for (file, rect) in self.files.iter().zip(squarified(&sizes, inside)) {
            self.piece(out, file, rect.inset(0.5));
        }
        html!(out, "</g>\n");
    }

    fn piece(&self, out: &mut Html, file: &FilePiece, rect: Rect) {
        if rect.width < 0.5 || rect.height < 0.5 {
            return;
        }
        shape(out, if file.is_joined { "joined" } else { "file" }, rect);
        html!(out, "<title>" (self.name) ": " (file.label) ", " (bytes(file.size)) "</title></rect>");
        if rect.height < LINE {
            return;
        }
        let name = file.label.rsplit('/').next().unwrap_or(&file.label);
        for label in wrapped(name, rect.width - 6.0, 1).iter().flatten() {
            text(out, "of-file", rect.x + 3.0, rect.y + 11.5, label);
        }
    }
}

/// Writes the start tag of a rectangle. The caller writes the title and the end tag.
fn shape(out: &mut Html, class: &'static str, rect: Rect) {
    html!(out,
        "<rect class=\"" (class) "\" x=\"" (rect.x) "\" y=\"" (rect.y) "\" width=\"" (rect.width) "\" height=\""
        (rect.height) "\">"
    );
}

fn text(out: &mut Html, class: &'static str, x: f64, y: f64, label: &str) {
    html!(out, "<text class=\"" (class) "\" x=\"" (x) "\" y=\"" (y) "\">" (label) "</text>");
}

/// Lists the largest files in words.
fn largest(out: &mut Html, index: &PageIndex<'_>, total: u64) {
    let mut files = by_size(index);
    let all = files.len();
    files.truncate(MAX_LISTED);
    html!(out,
        "<details><summary>The largest files in words</summary>\n<div class=\"scroll\" role=\"group\" "
        "aria-labelledby=\"files-caption\" tabindex=\"0\">\n<table>\n<caption id=\"files-caption\">The "
        (counted(files.len(), "largest file")) " of " (grouped(all))
        "</caption>\n<thead><tr><th scope=\"col\">File</th><th scope=\"col\">Skill</th><th scope=\"col\" "
        "class=\"n\">Size</th><th scope=\"col\" class=\"n\">Share</th></tr></thead>\n<tbody>\n"
    );
    for (size, at, file) in files {
        html!(out, "<tr><th scope=\"row\"><bdi>" (shortened(&file.path, MAX_PATH)) "</bdi></th><td>");
        skill_link(out, index, at);
        html!(out,
            "</td><td class=\"n\">" (bytes(size)) "</td><td class=\"n\">" (share(size, total))
            "</td></tr>\n"
        );
    }
    html!(out, "</tbody>\n</table>\n</div></details>\n");
}

/// Writes a share in percent. A small share is not 0.
fn share(size: u64, total: u64) -> String {
    match size.saturating_mul(100) / total {
        0 if size > 0 => "under 1 %".to_owned(),
        percent => format!("{percent} %"),
    }
}

/// Writes the name of a skill as a link to its row.
pub(crate) fn skill_link(out: &mut Html, index: &PageIndex<'_>, at: usize) {
    let name = index.skills.get(at).map_or("", |listed| &listed.skill.name);
    if at < MAX_SKILLS {
        html!(out, "<a href=\"#skill-" (at) "\"><bdi>" (shortened(name, MAX_NAME)) "</bdi></a>");
    } else {
        html!(out, "<bdi>" (shortened(name, MAX_NAME)) "</bdi>");
    }
}
