//! The tool `list_skills`: lists every skill, including skills that do not fit into the catalog text.

use crate::dialect::ToolSpec;
use crate::listed::for_model;
use crate::prompt::words_of;
use crate::session::tool::call::{CallArguments, ToolError, ToolErrorKind};
use serde_json::json;
use skills_arguments::signature;
use skills_format::text::shorten::{one_line, shortened};
use skills_rank::WordIndex;
use skills_render::{SHORTEST, largest};
use skills_runtime::{Catalog, Skill};
use std::borrow::Cow;

/// The maximum number of skills on a page.
const PAGE: usize = 50;
/// The maximum number of bytes of a page.
const PAGE_BYTES: usize = 16 * 1024;
/// The maximum number of characters of a query in the answer that no skill matches.
const QUERY: usize = 200;
/// An upper bound for the bytes of the line with the page number.
const FOOT: usize = 100;

/// The tool's name.
pub(crate) const NAME: &str = "list_skills";

/// Returns the definition of the tool that lists skills in pages.
pub(crate) fn spec() -> ToolSpec {
    let page = json!({
        "description": format!("The page number, from 1. A page has at most {PAGE} skills."),
        "minimum": 1,
        "type": "integer",
    });
    let query = json!({
        "description": "What the skill should be about; the best match comes first. Without it, every skill is listed.",
        "type": "string",
    });
    ToolSpec::new(
        NAME,
        "Lists the skills with their descriptions.".to_owned(),
        [("page".to_owned(), page), ("query".to_owned(), query)],
        &[],
    )
}

/// Answers a call of the tool.
pub(crate) fn call(catalog: &Catalog, json: &str) -> Result<String, ToolError> {
    let mut call = CallArguments::read(NAME, &["query", "page"], json)?;
    let query = call.optional_text("query")?.unwrap_or_default();
    let page = call.optional_number("page")?.unwrap_or(1);
    let query = query.trim();
    let found = found(catalog, query);
    if found.is_empty() {
        let query = one_line(query);
        return Ok(if query.is_empty() {
            "There are no skills.".to_owned()
        } else {
            format!("No skill matches '{}'.", shortened(&query, QUERY))
        });
    }
    let starts = starts(&found);
    let pages = starts.len();
    if page > pages {
        return Err(ToolError::new(
            ToolErrorKind::Arguments,
            format_args!("{NAME}: page {page} does not exist; the last page is {pages}."),
        ));
    }
    let start = starts.get(page - 1).copied().unwrap_or_default();
    let end = starts.get(page).copied().unwrap_or(found.len());
    let text = text(found.get(start..end).unwrap_or_default());
    Ok(match pages {
        1 => text.trim_end().to_owned(),
        _ => format!("{text}\nPage {page} of {pages}, {} skills.", found.len()),
    })
}

/// Returns the index of the first skill of each page. A page has as many skills as fit with descriptions
/// of minimum length, so every page fits after its descriptions are shortened.
fn starts(skills: &[Skill<'_>]) -> Vec<usize> {
    let mut starts = Vec::new();
    // As after a full page, so that the first skill begins a page.
    let (mut count, mut bytes) = (PAGE, 0);
    for (index, skill) in skills.iter().enumerate() {
        let longest = char::MAX.len_utf8() * SHORTEST;
        let description = skill.description().len().min(longest);
        let line = FRAME + skill.id().len() + description;
        if count == PAGE || bytes + line > PAGE_BYTES - FOOT {
            starts.push(index);
            (count, bytes) = (0, 0);
        }
        count += 1;
        bytes += line;
    }
    starts
}

/// Returns the lines of a page. If they have too many bytes, all descriptions are shortened to the
/// largest length that fits.
fn text(skills: &[Skill<'_>]) -> String {
    let descriptions: Vec<Cow<'_, str>> = skills.iter().map(described).collect();
    let lines = |length: usize| {
        let lines = skills.iter().zip(&descriptions);
        lines
            .map(|(skill, description)| line(&skill.id(), &shortened(description, length)))
            .collect::<String>()
    };
    let whole = lines(usize::MAX);
    if whole.len() <= PAGE_BYTES - FOOT {
        return whole;
    }
    let fits = |length| lines(length).len() <= PAGE_BYTES - FOOT;
    lines(largest(SHORTEST, PAGE_BYTES, fits))
}

/// Returns the description, and after it the typed arguments.
fn described<'c>(entry: &Skill<'c>) -> Cow<'c, str> {
    let description = one_line(entry.description());
    match entry.typed_arguments() {
        Ok(Some(schema)) => [&description, " Arguments: ", &signature(&schema), "."]
            .concat()
            .into(),
        // A schema that cannot be read is an error of the call.
        _ => description,
    }
}

/// The number of bytes of a line without the id and the description.
const FRAME: usize = "- : \n".len();

fn line(id: &str, description: &str) -> String {
    format!("- {id}: {description}\n")
}

/// Returns the skills that have a word of the query, the best first. If no skill has a whole word of the
/// query, returns the skills whose id or description contains all its words as parts of words.
fn found<'c>(catalog: &'c Catalog, query: &str) -> Vec<Skill<'c>> {
    let mut skills: Vec<Skill<'_>> = for_model(catalog).collect();
    if query.is_empty() {
        return skills;
    }
    let words: Vec<_> = skills.iter().map(words_of).collect();
    let hits = WordIndex::new(&words).rank(query);
    if !hits.is_empty() {
        return hits.into_iter().map(|hit| skills[hit.skill]).collect();
    }
    let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
    skills.retain(|skill| holds(skill, &words));
    skills
}

fn holds(skill: &Skill<'_>, words: &[String]) -> bool {
    let id = skill.id().to_lowercase();
    let description = skill.description().to_lowercase();
    words
        .iter()
        .all(|word| id.contains(word) || description.contains(word))
}
