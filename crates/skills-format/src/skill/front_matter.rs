//! The whole front matter of a skill as a tree, and as JSON.
//!
//! A skill holds its name and its description beside its front matter, so the front matter does not hold the
//! description a second time. Descriptions are most of the text of a catalog.

use crate::text::escape::push_json_text;
use crate::yaml::node::{Core, Node, Value};
use crate::yaml::to_json::{
    WriteNumber, number_as_text, number_as_value, push_mapping, push_value,
};
use std::borrow::Cow;

const DESCRIPTION: &str = "description";

/// The whole front matter of a skill, with keys in the order written. A number is kept as it is written:
/// `1.10` is not `1.1`.
///
/// Most skills have only a name and a description. Their front matter is plain, and takes no memory.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrontMatter(Option<Box<Tree>>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Tree {
    node: Node,
    /// The text of the description is that of the skill, and not in the tree.
    is_cut: bool,
}

impl FrontMatter {
    /// Reads the front matter of a skill that has this name and this description.
    pub(crate) fn new(front_matter: &Node, name: &str, description: &str) -> Self {
        if is_plain(front_matter, name, description) {
            return Self(None);
        }
        let mut node = front_matter.clone();
        let mut is_cut = false;
        if let Value::Mapping(entries) = &mut node.value
            && let Some((_, value)) = entries
                .iter_mut()
                .rev()
                .find(|(key, _)| key.as_str() == Some(DESCRIPTION))
            && let Value::Scalar(scalar) = &mut value.value
            && scalar.resolve() == Core::Text
            && scalar.text == description
        {
            scalar.text = String::new();
            is_cut = true;
        }
        Self(Some(Box::new(Tree { node, is_cut })))
    }

    /// Returns whether the front matter is exactly a name and a description, in this order.
    pub fn is_plain(&self) -> bool {
        self.0.is_none()
    }

    /// Returns the JSON. Numbers and dates are texts, as they are written. `name` and `description` are those of the
    /// skill.
    pub fn texts(&self, name: &str, description: &str) -> String {
        self.json(name, description, number_as_text)
    }

    /// Returns the JSON with the numbers of YAML 1.2's core schema, as other programs read them.
    pub fn values(&self, name: &str, description: &str) -> String {
        self.json(name, description, number_as_value)
    }

    /// Returns the JSON of [`FrontMatter::values`] without the text of the description, and the offset for
    /// [`insert_description`]. The JSON of plain front matter is empty.
    pub fn cut_values(&self) -> (String, Option<usize>) {
        let tree = self.0.as_ref();
        tree.map_or_else(Default::default, |tree| tree.json(number_as_value))
    }

    fn json(&self, name: &str, description: &str, number: WriteNumber) -> String {
        let Some(tree) = &self.0 else {
            return plain_front_matter(name, description);
        };
        let (json, hole) = tree.json(number);
        insert_description(&json, hole, description).into_owned()
    }
}

impl Tree {
    fn json(&self, number: WriteNumber) -> (String, Option<usize>) {
        let (mut json, mut hole) = (String::new(), None);
        let Value::Mapping(entries) = &self.node.value else {
            push_value(&mut json, &self.node, number);
            return (json, None);
        };
        push_mapping(&mut json, entries, &mut |json, key, value| {
            if self.is_cut && key == DESCRIPTION {
                hole = Some(json.len() + 1);
                json.push_str("\"\"");
            } else {
                push_value(json, value, number);
            }
        });
        (json, hole)
    }
}

/// Returns whether front matter is exactly this name and this description, in this order.
fn is_plain(front_matter: &Node, name: &str, description: &str) -> bool {
    let is_text = |node: &Node, expected: &str| matches!(&node.value, Value::Scalar(scalar) if scalar.text == expected && scalar.resolve() == Core::Text);
    let is_key = |node: &Node, expected: &str| node.as_str() == Some(expected);
    match front_matter.entries() {
        [(first, written_name), (second, text)] => {
            is_key(first, "name")
                && is_key(second, "description")
                && is_text(written_name, name)
                && is_text(text, description)
        }
        _ => false,
    }
}

/// Returns the JSON of plain front matter.
pub fn plain_front_matter(name: &str, description: &str) -> String {
    let mut json = String::with_capacity(name.len() + description.len() + 32);
    json.push_str("{\"name\":\"");
    push_json_text(&mut json, name);
    json.push_str("\",\"description\":\"");
    push_json_text(&mut json, description);
    json.push_str("\"}");
    json
}

/// Puts a description into the JSON that [`FrontMatter::cut_values`] returned.
///
/// `hole` is the offset of the description. If `hole` is `None` or beyond the end, the JSON is returned
/// unchanged.
pub fn insert_description<'j>(
    json: &'j str,
    hole: Option<usize>,
    description: &str,
) -> Cow<'j, str> {
    let Some((before, after)) = hole.and_then(|hole| json.split_at_checked(hole)) else {
        return json.into();
    };
    let mut whole = String::with_capacity(json.len() + description.len() + 16);
    whole.push_str(before);
    push_json_text(&mut whole, description);
    whole.push_str(after);
    whole.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::yaml;

    fn front_matter(text: &str, name: &str, description: &str) -> FrontMatter {
        let node = yaml::parse(text).expect(text).expect(text);
        FrontMatter::new(&node, name, description)
    }

    #[test]
    fn only_a_name_and_a_description_are_plain() {
        for (text, expected) in [
            ("name: x\ndescription: 'Go \"on\"'\n", true),
            ("description: 'Go \"on\"'\nname: x\n", false),
            ("name: y\ndescription: 'Go \"on\"'\n", false),
            ("name: x\ndescription: ' Go \"on\"'\n", false),
            ("name: x\ndescription: 'Go \"on\"'\nlicense: MIT\n", false),
            ("name: x\n", false),
        ] {
            let found = front_matter(text, "x", "Go \"on\"");
            assert_eq!(found.is_plain(), expected, "{text}");
            let node = yaml::parse(text).expect(text).expect(text);
            assert_eq!(found.texts("x", "Go \"on\""), node.to_json(), "{text}");
        }
        // A number is not the text of a name, although both are written alike.
        let found = front_matter("name: 7\ndescription: Go\n", "7", "Go");
        assert!(!found.is_plain());
        assert_eq!(found.values("7", "Go"), r#"{"name":7,"description":"Go"}"#);
        assert_eq!(found.texts("7", "Go"), r#"{"name":"7","description":"Go"}"#);
    }

    #[test]
    fn the_description_is_kept_once() {
        for (text, cut) in [
            (
                "a: Go.\ndescription: Go.\n",
                r#"{"a":"Go.","description":""}"#,
            ),
            (
                "metadata: {description: Go.}\ndescription: Go.\n",
                r#"{"metadata":{"description":"Go."},"description":""}"#,
            ),
            (
                "description: Gone.\nname: x\ndescription: Go.\n",
                r#"{"name":"x","description":""}"#,
            ),
            ("description: Gone.\n", r#"{"description":"Gone."}"#),
            ("[Go.]", r#"["Go."]"#),
        ] {
            let found = front_matter(text, "y", "Go.");
            let (json, hole) = found.cut_values();
            assert_eq!(json, cut, "{text}");
            let node = yaml::parse(text).expect(text).expect(text);
            let whole = insert_description(&json, hole, "Go.");
            assert_eq!(whole, node.to_json(), "{text}");
            assert_eq!(found.values("y", "Go."), whole, "{text}");
        }
        assert_eq!(insert_description("{}", Some(usize::MAX), "Go."), "{}");
        assert_eq!(insert_description("{}", None, "Go."), "{}");
    }

    #[test]
    fn numbers_before_the_description() {
        let text = "version: 1.50\ndescription: Go.\n";
        let found = front_matter(text, "x", "Go.");
        assert_eq!(
            found.texts("x", "Go."),
            r#"{"version":"1.50","description":"Go."}"#
        );
        assert_eq!(
            found.values("x", "Go."),
            r#"{"version":1.5,"description":"Go."}"#
        );
    }
}
