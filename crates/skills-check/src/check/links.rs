//! Links of a skill's instructions: to files that are not there, are not shipped, or lie outside of the skill.
//!
//! Only what is certainly a link to a file counts: an inline or a reference link outside of code, comments and
//! quotations, without a scheme, a placeholder or a glob.

use crate::check::skill::{Bundle, CheckedSkill, Fault};
use skills_format::diagnostic::Edit;
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::mention::mask::are_addresses;
use skills_format::text::span::Span;
use skills_format::text::{distance, percent};
use skills_format::tree::left_out::{TRIGGERS_FILE, left_out};
use skills_format::tree::{SKILL_FILE, Tree, TreeFile, in_folder, join};
use std::collections::{BTreeMap, BTreeSet};

/// A link: the bytes of its address, and the address without escapes.
struct Link {
    span: Span,
    address: String,
}

/// Returns the faults of the links of a `SKILL.md`.
pub(super) fn faults(of: &Bundle<'_>, skill: &CheckedSkill<'_>) -> Vec<Fault> {
    let Some(Ok(document)) = &skill.file.document else {
        return Vec::new();
    };
    let links = links(document.text, document.body);
    let faults = links
        .iter()
        .filter_map(|link| fault(of, skill, document.text, link));
    faults.collect()
}

fn fault(of: &Bundle<'_>, skill: &CheckedSkill<'_>, text: &str, link: &Link) -> Option<Fault> {
    let Bundle { tree, skills, .. } = *of;
    let written = link.span.of(text);
    let error =
        |rule, message: String, help: String| Some(Fault::new(rule, link.span, message, help));
    let path = link
        .address
        .split(['?', '#'])
        .next()
        .unwrap_or_default()
        .replace('\\', "/");
    if path.is_empty() || is_template(&path) || is_illustration(&path) || is_command(&path) {
        return None;
    }
    if path.starts_with('/') || path.starts_with("~/") || scheme(&path).is_some() {
        let message = format!("`{written}` is a path from the root of the disk");
        let help = "write a path within the skill, or a full address";
        return error(RuleId::LinkEscape, message, help.to_owned());
    }
    // A percent sign is mostly an escape, but can be a part of a file's name.
    let decoded = percent::decode(&path);
    let mut targets = [&*decoded, path.as_str()]
        .into_iter()
        .map(|path| joined(skill.dir, path));
    let target = targets
        .clone()
        .flatten()
        .find(|target| exists(tree, target));
    let Some(target) = target.or_else(|| targets.next().flatten()) else {
        return outside(written, error);
    };
    let Some(inside) =
        in_folder(skill.dir, &target).filter(|_| target != skill.dir || skill.dir.is_empty())
    else {
        let is_other = skills.iter().any(|it| {
            !it.dir.is_empty() && in_folder(it.dir, &target).is_some() || it.dir == target
        });
        return match (is_other, exists(tree, &target)) {
            (true, true) => None,
            _ if target == skill.dir => None,
            (true, false) => Some(missing(link, written, None)),
            (false, true) => outside(written, error),
            (false, false) => {
                let message =
                    format!("`{written}` leads out of the skill's folder, and to nothing");
                let help = "write the path of a file that is there, or remove the link";
                error(RuleId::LinkEscape, message, help.to_owned())
            }
        };
    };
    let has = |path: &str| tree.get(&join(skill.dir, path)).is_some();
    let is_included = of.config.includes_shown(&join(of.root, &target));
    if let Some((part, why)) = left_out(inside, &has).filter(|_| !is_included) {
        // The file for tests of a skill lies in its folder.
        if part == TRIGGERS_FILE {
            return None;
        }
        let message =
            format!("`{written}` is not shipped with the skill: `{part}` is left out, since {why}");
        let help = "link another file, or name this one under `include` in `skills.toml`";
        return error(RuleId::LinkBroken, message, help.to_owned());
    }
    if exists(tree, &target) || inside.is_empty() {
        // Only Windows has such paths, and no client reads one.
        return link.address.contains('\\').then(|| {
            let message = format!("`{written}` is not a path on every system");
            Fault::new(
                RuleId::LinkBroken,
                link.span,
                message,
                format!("write `{path}`"),
            )
            .guess(Some(Edit::replace(link.span, path.clone())))
        });
    }
    if let Some(other) = in_other_case(skill, inside) {
        let message = format!("`{written}` differs in case from the file `{other}`");
        return error(RuleId::LinkCase, message, format!("write `{other}`"));
    }
    let near = nearest(skill.dir, skill.files, &decoded);
    Some(missing(link, written, near))
}

fn missing(link: &Link, written: &str, near: Option<String>) -> Fault {
    let message = format!("`{written}` is not a file of the skill");
    let help = match &near {
        Some(near) => format!("write `{near}`"),
        None => without_file(written),
    };
    let edit = near.map(|near| Edit::replace(link.span, near));
    Fault::new(RuleId::LinkBroken, link.span, message, help).guess(edit)
}

/// Says what to do about a path that no file has.
pub fn without_file(written: &str) -> String {
    if written.starts_with("www.") {
        format!("write `https://{written}`")
    } else {
        "add the file, or remove the link".to_owned()
    }
}

/// Returns the file of the skill that was most likely meant: a file of the same name below a folder of the same name, else
/// a file with a similar name in the same folder. Another `README.md` is another text.
pub fn nearest(dir: &str, files: &[TreeFile], path: &str) -> Option<String> {
    let path = path.trim_start_matches("./");
    let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
    let parent = |folder: &str| folder.rsplit('/').next().unwrap_or_default().to_lowercase();
    let files = files.iter().filter_map(|file| in_folder(dir, &file.path));
    let files: Vec<&str> = files.filter(|path| *path != SKILL_FILE).collect();
    let same = files.iter().filter(|file| {
        let (above, last) = file.rsplit_once('/').unwrap_or(("", file));
        last.eq_ignore_ascii_case(name)
            && !name.to_lowercase().starts_with("readme")
            && parent(above) == parent(folder)
    });
    // If several files have the name, any guess can be wrong.
    if let [file] = same.collect::<Vec<_>>()[..] {
        return Some((*file).to_owned());
    }
    let limit = (name.len() / 5).clamp(1, 4);
    let near = files.iter().filter_map(|file| {
        let (above, last) = file.rsplit_once('/').unwrap_or(("", file));
        let is_near = above == folder && last.len().abs_diff(name.len()) <= limit;
        let distance = is_near.then(|| distance::of_words(last, name, limit))??;
        Some((distance, *file))
    });
    near.min().map(|(_, file)| file.to_owned())
}

/// Reports a link that leaves the folder of its skill.
fn outside(
    written: &str,
    error: impl Fn(RuleId, String, String) -> Option<Fault>,
) -> Option<Fault> {
    let message = format!("`{written}` leads out of the skill's folder");
    let help = "copy the file into the skill's folder and link the copy";
    error(RuleId::LinkEscape, message, help.to_owned())
}

/// Returns whether the tree has a file or folder of this path.
fn exists(tree: &Tree, path: &str) -> bool {
    let folder = format!("{path}/");
    let first = tree
        .files
        .partition_point(|file| file.path.as_bytes() < folder.as_bytes());
    tree.get(path).is_some()
        || tree
            .files
            .get(first)
            .is_some_and(|file| file.path.starts_with(&folder))
}

/// Returns the file or folder of the skill whose path differs from a path only in case.
fn in_other_case<'t>(skill: &CheckedSkill<'t>, path: &str) -> Option<&'t str> {
    let lower = path.to_lowercase();
    skill.files.iter().find_map(|file| {
        let file = in_folder(skill.dir, &file.path)?;
        let folders = file.match_indices('/').filter_map(|(at, _)| file.get(..at));
        folders
            .chain([file])
            .find(|path| path.to_lowercase() == lower)
    })
}

/// Joins a path to the folder `dir`, and resolves `.` and `..`. Returns `None` if the path leaves the tree.
pub fn joined(dir: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = dir.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Returns the local links of a body, in order.
fn links(text: &str, body: Span) -> Vec<Link> {
    let markdown = body.of(text);
    if memchr::memchr(b']', markdown.as_bytes()).is_none() {
        return Vec::new();
    }
    let mut rows = Vec::new();
    let mut start = 0;
    for line in markdown.split_inclusive('\n') {
        // A quotation holds what others said, and a definition is read below.
        if !line.trim_start().starts_with('>') && !line.contains("]:") {
            rows.push((start, line));
        }
        start += line.len();
    }
    let brackets = rows.iter().flat_map(|&(at, line)| {
        memchr::memmem::find_iter(line.as_bytes(), "](").map(move |bracket| at + bracket)
    });
    let inline = brackets.filter_map(|at| Some((Some(at), address(markdown, at + 2, ')')?)));
    let mut links: Vec<_> = inline.collect();
    links.extend(definitions(markdown).into_iter().map(|link| (None, link)));
    if !links.iter().any(|(_, link)| is_local(&link.address)) {
        return Vec::new();
    }
    links.sort_by_key(|(_, link)| link.span.start);
    let places = links.iter().map(|(_, link)| link.span.start);
    let mut addresses = are_addresses(markdown, places).into_iter();
    links.retain(|_| addresses.next() == Some(true));
    let with_label = labelled(&rows, &links);
    let links = links.into_iter();
    let links = links.filter(|(at, _)| at.is_none_or(|at| with_label.contains(&at)));
    let mut found: Vec<Link> = links.map(|(_, link)| link).collect();
    found.retain(|link| is_local(&link.address));
    for link in &mut found {
        link.span = Span::new(body.start + link.span.start, body.start + link.span.end);
    }
    found
}

/// Returns the ends of labels that have an address: of images, and of links that no outer link holds.
fn labelled(rows: &[(usize, &str)], inline: &[(Option<usize>, Link)]) -> BTreeSet<usize> {
    let ends: BTreeSet<usize> = inline.iter().filter_map(|(at, _)| *at).collect();
    let mut found = BTreeSet::new();
    for &(start, line) in rows {
        let bytes = line.as_bytes();
        // The labels that are open on this line: `true` for an image.
        let (mut open, mut at) = (Vec::new(), 0);
        while let Some(byte) = bytes.get(at) {
            match byte {
                b'\\' => at += 1,
                b'[' => open.push(bytes[..at].ends_with(b"!")),
                b']' => {
                    if let Some(is_image) = open.pop()
                        && ends.contains(&(start + at))
                    {
                        found.insert(start + at);
                        // A link holds no other link.
                        if !is_image {
                            open.clear();
                        }
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }
    found
}

/// Reads the address at a place, up to white space or `end`.
fn address(markdown: &str, at: usize, end: char) -> Option<Link> {
    let rest = markdown.get(at..)?;
    let start = at + rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let rest = markdown.get(start..)?;
    let (start, is_end): (usize, &dyn Fn(char, usize) -> bool) = match rest.strip_prefix('<') {
        Some(_) => (start + 1, &|c, _| c == '>'),
        None => (start, &|c, depth| {
            c.is_whitespace() || c == end && depth == 0
        }),
    };
    let (mut address, mut depth, mut is_escaped) = (String::new(), 0_usize, false);
    for (offset, c) in markdown.get(start..)?.char_indices() {
        if is_escaped && !c.is_ascii_punctuation() {
            address.push('\\');
        } else if !is_escaped {
            if is_end(c, depth) {
                let span = Span::new(start, start + offset);
                let after = markdown
                    .get(span.end..)?
                    .trim_start_matches(['>', ' ', '\t']);
                // Of a link, only a title or the end follows.
                let is_link = end == '\n' || after.starts_with([')', '"', '\'', '(']);
                return (is_link && !address.is_empty()).then_some(Link { span, address });
            }
            match c {
                // Nobody writes brackets into the address of a file: it is text that only looks like a link.
                '\n' | '[' | ']' => return None,
                '\\' => {
                    is_escaped = true;
                    continue;
                }
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
        }
        is_escaped = false;
        address.push(c);
    }
    let span = Span::new(start, markdown.len());
    (end == '\n' && !address.is_empty()).then_some(Link { span, address })
}

/// Returns the label that a line defines.
fn defined(line: &str) -> Option<&str> {
    let indent = line.len() - line.trim_start_matches(' ').len();
    let (label, _) = line.trim_start().strip_prefix('[')?.split_once("]:")?;
    let is_label = !label.is_empty() && !label.starts_with('^') && !label.contains(['[', ']']);
    (indent <= 3 && is_label).then_some(label)
}

/// Returns the addresses of the link definitions that a link uses: `[label]: address`.
fn definitions(markdown: &str) -> Vec<Link> {
    let (mut definitions, mut references) = (Vec::new(), Vec::new());
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let mut start = 0;
    for line in markdown.split_inclusive('\n') {
        let at = start;
        start += line.len();
        // Also in a quotation or a list, where it is not read.
        if let Some(label) = defined(line.trim_start_matches([' ', '\t', '>', '-', '+', '*'])) {
            *counts.entry(label).or_default() += 1;
        }
        if let Some(label) = defined(line) {
            let before = at + line.len() - line.trim_start().len() + label.len() + "[]:".len();
            definitions.push((label, before));
        } else {
            references.extend(memchr::memchr_iter(b'[', line.as_bytes()).map(|open| at + open + 1));
        }
    }
    if definitions.is_empty() {
        return Vec::new();
    }
    let are_links = are_addresses(markdown, references.iter().copied());
    let used: BTreeSet<&str> = references
        .iter()
        .zip(are_links)
        .filter(|(_, is_link)| *is_link)
        .filter_map(|(at, _)| markdown.get(*at..)?.split_once(']'))
        // Before another label, the text of a link is no reference itself.
        .filter(|(_, after)| {
            !after.starts_with(':') && (!after.starts_with('[') || after.starts_with("[]"))
        })
        .map(|(label, _)| label)
        .collect();
    // Of two definitions of a label the first counts, and where it is in a quotation is not certain.
    definitions.retain(|(label, _)| used.contains(label) && counts.get(label) == Some(&1));
    let found = definitions
        .iter()
        .filter_map(|(_, before)| address(markdown, *before, '\n'));
    found.collect()
}

/// Returns whether an address is local: no scheme except `file:`, no host, and not an anchor of the same file.
pub fn is_local(address: &str) -> bool {
    if address.starts_with("//") || address.starts_with('#') || address.starts_with('?') {
        return false;
    }
    match scheme(address) {
        Some(scheme) => scheme.eq_ignore_ascii_case("file") || is_drive(address),
        None => true,
    }
}

/// Returns the scheme of an address.
pub fn scheme(address: &str) -> Option<&str> {
    let (scheme, _) = address.split_once(':')?;
    let is_sign = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.');
    let is_scheme =
        scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(is_sign);
    is_scheme.then_some(scheme)
}

/// Returns whether an address begins with `C:\` or `C:/`.
fn is_drive(address: &str) -> bool {
    let mut chars = address.chars();
    chars.next().is_some_and(|c| c.is_ascii_alphabetic())
        && chars.next() == Some(':')
        && matches!(chars.next(), Some('\\' | '/'))
}

/// Returns whether an address is a pattern for many: it has a placeholder or a glob.
pub fn is_template(address: &str) -> bool {
    const PARTS: [&str; 8] = ["...", "…", "NNN", "XXX", "xxx", "YYYY", "%s", "path/to/"];
    // One pass: most addresses are short, and hold none of the bytes with which a part begins.
    let bytes = address.as_bytes();
    bytes.iter().enumerate().any(|(at, byte)| match byte {
        b'<' | b'>' | b'{' | b'}' | b'*' | b'$' => true,
        b'.' | 0xE2 | b'N' | b'X' | b'x' | b'Y' | b'%' | b'p' => {
            let rest = bytes.get(at..).unwrap_or_default();
            PARTS.iter().any(|part| rest.starts_with(part.as_bytes()))
        }
        _ => false,
    })
}

/// Returns whether a path is a stand-in for any path: `references/filename.md`.
pub fn is_illustration(address: &str) -> bool {
    const STEMS: [&str; 26] = [
        "filename",
        "file",
        "file_name",
        "name",
        "foo",
        "bar",
        "baz",
        "topic",
        "example",
        "examples",
        "url",
        "link",
        "path",
        "script",
        "some-file",
        "xxx",
        "document",
        "doc",
        "page",
        "image",
        "img",
        "module",
        "your_script",
        "my_script",
        "whatever",
        "something",
    ];
    let path = address.split(['?', '#']).next().unwrap_or(address);
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let stem = name.split('.').next().unwrap_or(name).to_lowercase();
    let first = stem.split_once(['-', '_']).map(|(first, _)| first);
    let bare = stem.trim_end_matches(|c: char| c == '-' || c.is_ascii_digit());
    STEMS.contains(&stem.as_str())
        || stem.ends_with("-name")
        || bare != stem && (bare == "file" || bare.ends_with("-file") || bare == "script")
        || matches!(first, Some("your" | "my" | "some" | "example"))
        || address.contains("path/to")
}

/// Returns whether an address is the command of a plugin's skill, as Claude Code writes it: `/plugin:skill`.
pub fn is_command(address: &str) -> bool {
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    let is_name = |name: &str| !name.is_empty() && name.bytes().all(is_sign);
    let names = address
        .strip_prefix('/')
        .and_then(|rest| rest.split_once(':'));
    names.is_some_and(|(plugin, skill)| is_name(plugin) && is_name(skill))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn addresses(markdown: &str) -> Vec<String> {
        let links = links(markdown, Span::new(0, markdown.len()));
        links.into_iter().map(|link| link.address).collect()
    }

    #[test]
    fn what_is_certainly_a_link() {
        for (markdown, expected) in [
            ("See [a](references/a.md).", "references/a.md"),
            ("![a](assets/a.png \"title\")", "assets/a.png"),
            ("[a](<b c.md>)", "b c.md"),
            ("[a](b(1).md) and [c](d.md#e)", "b(1).md,d.md#e"),
            ("[a][b]\n\n[b]: c.md", "c.md"),
            ("[a](b\\_c.md)", "b_c.md"),
            ("`[a](b.md)`\n\n```\n[a](c.md)\n```\n", ""),
            ("<!-- [a](b.md) -->", ""),
            ("> [a](b.md)", ""),
            ("[a](https://b.c/d.md) [e](#f) [g](mailto:h@i)", ""),
            ("[b]: unused.md", ""),
            ("```\nopen\n\n[a](b.md)", ""),
            ("a](b.md)", ""),
        ] {
            assert_eq!(addresses(markdown).join(","), expected, "{markdown}");
        }
    }

    #[test]
    fn paths_from_the_root() {
        assert_eq!(joined("a/b", "../c/./d").as_deref(), Some("a/c/d"));
        assert_eq!(joined("a", "../../x"), None);
    }
}
