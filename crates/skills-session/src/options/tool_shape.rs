//! The shape of the tool that starts a skill.

use skills_format::Text;
use skills_format::text::escape::push_json_text;
use skills_format::text::order::sort_by_text;

/// The usual name of the parameter for the arguments.
const ARGUMENTS: &str = "arguments";

/// The name and parameters of the tool that starts a skill.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct ToolShape {
    /// The tool's name.
    pub name: Text,
    /// The parameter that holds the skill's id.
    pub parameter: Text,
    /// `true` if the schema of the parameter lists all ids as an `enum`, up to 200 ids. `false`: any string.
    pub lists_ids: bool,
    /// The optional parameter that holds the skill's arguments. `None`: the tool takes no arguments.
    pub arguments: Option<Text>,
}

impl ToolShape {
    /// The tool of the default profile: `skill {name, arguments?}`. The name is any string, so that the bytes of the tool
    /// stay when a skill is enabled or a catalog is reloaded: a prompt cache depends on them, and a framework that took
    /// the tool once never holds an old list.
    pub const SKILL: Self = Self::new("skill", "name", false, Some(ARGUMENTS));

    pub(crate) const fn new(
        name: &'static str,
        parameter: &'static str,
        lists_ids: bool,
        arguments: Option<&'static str>,
    ) -> Self {
        Self {
            name: Text::Borrowed(name),
            parameter: Text::Borrowed(parameter),
            lists_ids,
            arguments: match arguments {
                Some(arguments) => Some(Text::Borrowed(arguments)),
                None => None,
            },
        }
    }

    /// Returns the arguments of the call that starts a skill, as JSON with sorted keys. Returns `None`
    /// if the skill has arguments and the tool takes no arguments: such a call cannot be written.
    pub(crate) fn call(&self, skill: &str, arguments: &str) -> Option<String> {
        let mut members = vec![(&*self.parameter, skill)];
        if !arguments.is_empty() {
            members.push((self.arguments.as_deref()?, arguments));
        }
        sort_by_text(&mut members, |(key, _)| key.as_bytes());
        let mut json = String::from("{");
        for (i, (key, value)) in members.into_iter().enumerate() {
            if i > 0 {
                json.push(',');
            }
            json.push('"');
            push_json_text(&mut json, key);
            json.push('"');
            json.push(':');
            json.push('"');
            push_json_text(&mut json, value);
            json.push('"');
        }
        json.push('}');
        Some(json)
    }
}
