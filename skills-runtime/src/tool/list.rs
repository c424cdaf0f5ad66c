//! `list_skills`: every skill, also the skills that the catalog text has no room for.

use crate::catalog::Catalog;
use crate::catalog::ids::{Listed, for_model};
use crate::catalog::names::Plugins;
use crate::text::shorten::one_line;
use crate::tool::call::CallArguments;
use crate::tool::error::{ToolError, ToolErrorKind};
use crate::tool::spec::ToolSpec;
use serde_json::json;

/// The number of skills on a page.
const PAGE: usize = 50;

/// The tool that lists skills in pages.
#[derive(Clone, Debug)]
pub(crate) struct ListTool {
    catalog: Catalog,
    plugins: Plugins,
}

impl ListTool {
    pub(crate) const NAME: &str = "list_skills";

    pub(crate) fn new(catalog: &Catalog, plugins: Plugins) -> Self {
        Self {
            catalog: catalog.clone(),
            plugins,
        }
    }

    #[expect(clippy::unused_self, reason = "all tools have this form")]
    pub(crate) fn spec(&self) -> ToolSpec {
        let page = json!({
            "description": format!("The page number, from 1. A page has {PAGE} skills."),
            "minimum": 1,
            "type": "integer",
        });
        let query = json!({
            "description": "Words that the name or the description must contain. Without it, every skill is listed.",
            "type": "string",
        });
        ToolSpec::new(
            Self::NAME,
            "Lists the skills with their descriptions.".to_owned(),
            [("page".to_owned(), page), ("query".to_owned(), query)],
            &[],
        )
    }

    pub(crate) fn call(&self, json: &str) -> Result<String, ToolError> {
        let mut call = CallArguments::read(Self::NAME, &["query", "page"], json)?;
        let query = call.optional_text("query")?.unwrap_or_default();
        let page = call.optional_number("page")?.unwrap_or(1);
        let words: Vec<String> = query.split_whitespace().map(str::to_lowercase).collect();
        let found: Vec<Listed<'_>> = for_model(&self.catalog, self.plugins)
            .filter(|skill| holds(skill, &words))
            .collect();
        if found.is_empty() {
            return Ok(match words.as_slice() {
                [] => "There are no skills.".to_owned(),
                _ => format!("No skill matches '{}'.", one_line(&query)),
            });
        }
        let pages = found.len().div_ceil(PAGE);
        if page > pages {
            return Err(ToolError::new(
                ToolErrorKind::Arguments,
                format_args!(
                    "{}: page {page} does not exist; the last page is {pages}.",
                    Self::NAME
                ),
            ));
        }
        let mut text = String::new();
        for skill in found.iter().skip((page - 1) * PAGE).take(PAGE) {
            text.push_str("- ");
            text.push_str(&skill.id);
            text.push_str(": ");
            text.push_str(&one_line(skill.entry.description()));
            text.push('\n');
        }
        Ok(match pages {
            1 => text.trim_end().to_owned(),
            _ => format!("{text}\nPage {page} of {pages}, {} skills.", found.len()),
        })
    }
}

fn holds(skill: &Listed<'_>, words: &[String]) -> bool {
    if words.is_empty() {
        return true;
    }
    let id = skill.id.to_lowercase();
    let description = skill.entry.description().to_lowercase();
    words
        .iter()
        .all(|word| id.contains(word) || description.contains(word))
}
