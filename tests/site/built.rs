//! Checks a built site: every link leads to a file and an anchor, and no page loads anything from elsewhere.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

#[derive(Default)]
struct Page {
    anchors: BTreeSet<String>,
    links: Vec<String>,
    /// Scripts, styles and pictures.
    loaded: Vec<String>,
}

/// Returns what was checked, or what is broken.
pub(crate) fn check(site: &Path) -> Result<String, String> {
    let mut pages = BTreeMap::new();
    for path in files(site).map_err(|error| format!("{}: {error}", site.display()))? {
        if path.extension().is_some_and(|it| it == "html") {
            let text = fs::read_to_string(&path).map_err(|error| error.to_string())?;
            pages.insert(path, read(&text));
        }
    }
    let (mut broken, mut links) = (Vec::new(), 0);
    for (path, page) in &pages {
        let name = path.strip_prefix(site).unwrap_or(path).display();
        for target in page.loaded.iter().filter(|it| is_foreign(it)) {
            broken.push(format!("{name} loads {target}"));
        }
        for target in page.links.iter().chain(&page.loaded) {
            if is_foreign(target) {
                continue;
            }
            links += 1;
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let to = match file {
                "" => path.clone(),
                file => normal(&path.with_file_name(file)),
            };
            let has_anchor = || {
                pages
                    .get(&to)
                    .is_none_or(|page| page.anchors.contains(anchor))
            };
            if !to.is_file() || !anchor.is_empty() && !has_anchor() {
                broken.push(format!("{name}: {target}"));
            }
        }
    }
    if broken.is_empty() {
        Ok(format!("{} pages, {links} links", pages.len()))
    } else {
        Err(broken.join("\n"))
    }
}

fn is_foreign(target: &str) -> bool {
    target.contains("://") || target.starts_with("//") || target.starts_with("mailto:")
}

/// Reads the attributes of the tags. Text and attributes have no bare `<`.
fn read(html: &str) -> Page {
    let mut page = Page::default();
    for tag in html.split('<').skip(1) {
        let (tag, _) = tag.split_once('>').unwrap_or((tag, ""));
        page.anchors.extend(attribute(tag, "id"));
        let name = tag.split_whitespace().next().unwrap_or_default();
        match name {
            "a" => page.links.extend(attribute(tag, "href")),
            "link" => page.loaded.extend(attribute(tag, "href")),
            _ => page.loaded.extend(attribute(tag, "src")),
        }
    }
    page
}

fn attribute(tag: &str, name: &str) -> Option<String> {
    let (_, rest) = tag.split_once(&format!(" {name}=\""))?;
    let (value, _) = rest.split_once('"')?;
    Some(value.replace("&amp;", "&"))
}

fn files(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(files(&path)?);
        } else {
            found.push(path);
        }
    }
    Ok(found)
}

/// Resolves `..` in a path.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        if part.as_os_str() == ".." {
            normal.pop();
        } else {
            normal.push(part);
        }
    }
    normal
}
