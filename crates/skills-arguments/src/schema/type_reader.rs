//! Reads the type of a property: its keywords, its listed values and its default.

use crate::schema::fit::{integer, number};
use crate::schema::reader::{PROPERTY, has_misspelt, text_of};
use crate::schema::{Argument, Kind, MAX_CHOICES, SchemaFile};
use skills_format::skill::fields::Text;
use skills_format::text::span::Span;
use skills_format::yaml::node::{Node, Style, Value};
use std::borrow::Cow;

impl SchemaFile {
    /// Reads the type of a list's items.
    pub(super) fn items(&mut self, property: &Node) -> Option<Kind> {
        const OF_LISTS: [&str; 5] = ["type", "items", "default", "description", "title"];
        for (key, _) in property.entries() {
            let name = key.as_str().unwrap_or_default();
            if PROPERTY.contains(&name) && !OF_LISTS.contains(&name) {
                let what = format!("`{name}` is not for lists");
                self.fault(key.span, what, "write it into `items`");
            }
        }
        let Some(items) = property.get("items") else {
            let help = "write `\"items\": {\"type\": \"string\"}`";
            return self.refuse(property.span, "the list has no `items`", help);
        };
        if !matches!(items.value, Value::Mapping(_)) {
            let what = format!("`items` is {}, not an object", items.kind());
            return self.refuse(items.span, what, "write `{\"type\": \"string\"}`");
        }
        let mut known = PROPERTY.to_vec();
        known.retain(|key| !["default", "items"].contains(key));
        self.known(items, &known, "the items of a list have");
        for key in ["title", "description"] {
            self.text(items, key);
        }
        self.kind(items)
    }

    /// Reads the type of a scalar.
    pub(super) fn kind(&mut self, object: &Node) -> Option<Kind> {
        if let Some((key, _)) = object.entry("items") {
            let help = "write `\"type\": \"array\"`";
            self.fault(key.span, "`items` is for lists", help);
        }
        let kind = match object.get("type") {
            None => None,
            Some(node) => match text_of(node) {
                Some(kind @ ("string" | "integer" | "number" | "boolean")) => Some(kind),
                _ => return self.refuse(node.span, "the type is not read here", TYPES),
            },
        };
        match (object.entry("enum"), object.entry("const")) {
            (Some(_), Some((key, _))) => {
                let help = "remove one of the two";
                self.refuse(key.span, "`const` stands beside `enum`", help)
            }
            (None, Some((key, node))) => self.choice(object, kind, key, std::slice::from_ref(node)),
            (Some((key, node)), None) => match &node.value {
                Value::Sequence(values) if !values.is_empty() => {
                    self.choice(object, kind, key, values)
                }
                _ => {
                    let help = "write `[\"a\", \"b\"]`";
                    self.refuse(node.span, "`enum` is not a list of values", help)
                }
            },
            (None, None) => {
                let is_misspelt = |key| has_misspelt(object, &PROPERTY, key);
                if kind.is_none() && !["type", "enum", "const"].into_iter().any(is_misspelt) {
                    self.fault(object.span, "the type is missing", TYPES);
                }
                self.bounds(object, kind?)
            }
        }
    }

    /// Reads the values of `enum` or `const`.
    fn choice(
        &mut self,
        object: &Node,
        kind: Option<&str>,
        key: &Node,
        values: &[Node],
    ) -> Option<Kind> {
        for (bound, _) in object.entries() {
            let name = bound.as_str().unwrap_or_default();
            if ["minimum", "maximum", "minLength", "maxLength"].contains(&name) {
                let what = format!("`{name}` stands beside listed values");
                self.fault(bound.span, what, "remove it: the list says what fits");
            }
        }
        if values.len() > MAX_CHOICES {
            let what = format!("`enum` has more than {MAX_CHOICES} values");
            return self.refuse(key.span, what, "list fewer values, or write a type alone");
        }
        let help = match kind {
            Some(_) => "remove the list",
            None => "write `\"type\": \"boolean\"` in place of the list",
        };
        let kind = kind.unwrap_or_else(|| match values.first() {
            Some(first) if text_of(first).is_some() => "string",
            Some(first) if first.as_bool().is_some() => "boolean",
            _ => "number",
        });
        if kind == "boolean" {
            return self.refuse(key.span, "a boolean has no listed values", help);
        }
        let base = match kind {
            "string" => Kind::TEXT,
            "integer" => Kind::Integer {
                minimum: None,
                maximum: None,
            },
            _ => Kind::Number {
                minimum: None,
                maximum: None,
            },
        };
        let mut read: Vec<Text> = Vec::new();
        for value in values {
            match base.typed(value) {
                None => {
                    let what = format!("the value is {}, and the type is `{kind}`", value.kind());
                    self.fault(value.span, what, "write values of one type");
                }
                Some(text) if read.iter().any(|known| *known == text) => {
                    self.fault(
                        value.span,
                        "the value is listed twice",
                        "remove one of the two",
                    );
                }
                Some(text) => read.push(Text::Owned(text)),
            }
        }
        // Nothing fits a list whose values were all reported.
        (!read.is_empty()).then(|| Kind::Choice {
            numbers: kind != "string",
            values: read.into(),
        })
    }

    /// Reads the type with its bounds.
    fn bounds(&mut self, object: &Node, name: &str) -> Option<Kind> {
        for (key, _) in object.entries() {
            let key_name = key.as_str().unwrap_or_default();
            let of = match key_name {
                "minLength" | "maxLength" if name != "string" => "texts",
                "minimum" | "maximum" if !matches!(name, "integer" | "number") => "numbers",
                _ => continue,
            };
            let what = format!("`{key_name}` is for {of}");
            self.fault(key.span, what, "remove it, or change the type");
        }
        let (kind, is_empty) = match name {
            "integer" => {
                let help = "write a whole number of 64 bits";
                let [minimum, maximum] =
                    ["minimum", "maximum"].map(|key| self.bound(object, key, integer, help));
                (
                    Kind::Integer { minimum, maximum },
                    is_above(minimum, maximum),
                )
            }
            "number" => {
                let [minimum, maximum] =
                    ["minimum", "maximum"].map(|key| self.bound(object, key, number, NUMBER));
                (
                    Kind::Number { minimum, maximum },
                    is_above(minimum, maximum),
                )
            }
            "string" => {
                let length = |text: &str| integer(text).and_then(|it| u32::try_from(it).ok());
                let help = "write a whole number of 0 to 4294967295";
                let [min_length, max_length] =
                    ["minLength", "maxLength"].map(|key| self.bound(object, key, length, help));
                let is_empty = is_above(min_length, max_length);
                (
                    Kind::Text {
                        min_length,
                        max_length,
                    },
                    is_empty,
                )
            }
            _ => (Kind::Boolean, false),
        };
        if is_empty {
            // No default fits such a type, so a default is not reported too.
            let what = "no value fits: the minimum is above the maximum";
            return self.refuse(object.span, what, "swap the two");
        }
        Some(kind)
    }

    fn bound<N>(
        &mut self,
        object: &Node,
        key: &str,
        read: impl Fn(&str) -> Option<N>,
        help: &str,
    ) -> Option<N> {
        let node = object.get(key)?;
        let plain = plain_of(node);
        let bound = plain.and_then(read);
        if bound.is_none() {
            let is_number = plain.and_then(number).is_some();
            let what = format!("`{key}` is not a number of this type");
            self.fault(node.span, what, if is_number { help } else { NUMBER });
        }
        bound
    }

    /// Reads a default, which must be of the argument's type.
    pub(super) fn default_of(
        &mut self,
        argument: &Argument,
        node: &Node,
    ) -> Option<Cow<'static, [Text]>> {
        let items = match (&node.value, argument.is_list) {
            (Value::Sequence(items), true) => Some(items.as_slice()),
            (_, true) => None,
            (_, false) => Some(std::slice::from_ref(node)),
        };
        let mut texts = Vec::new();
        let mut misfit = items.is_none().then_some(node);
        for item in items.unwrap_or_default() {
            match argument.kind.typed(item) {
                Some(text) => texts.push(Text::Owned(text)),
                None => misfit = misfit.or(Some(item)),
            }
        }
        let Some(misfit) = misfit else {
            return Some(texts.into());
        };
        let what = format!("the default of `{}` does not fit its type", argument.name);
        self.refuse(misfit.span, what, format!("write {}", argument.fits()))
    }

    /// Reports what cannot be read.
    fn refuse<T>(
        &mut self,
        span: Span,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Option<T> {
        self.fault(span, message, help);
        None
    }
}

const NUMBER: &str = "write a number without quotes";
const TYPES: &str = "write `string`, `integer`, `number`, `boolean`, or `array` with `items`";

impl Kind {
    pub(super) const TEXT: Self = Self::Text {
        min_length: None,
        max_length: None,
    };

    /// Returns the canonical text of a value of exactly this type.
    fn typed(&self, node: &Node) -> Option<String> {
        let is_text = matches!(
            self,
            Self::Text { .. } | Self::Choice { numbers: false, .. }
        );
        self.fit(if is_text {
            text_of(node)
        } else {
            plain_of(node)
        }?)
    }
}

/// Returns a JSON number, boolean or `null` as it is written.
fn plain_of(node: &Node) -> Option<&str> {
    match &node.value {
        Value::Scalar(scalar) if scalar.style == Style::Plain => Some(&scalar.text),
        _ => None,
    }
}

fn is_above<T: PartialOrd>(minimum: Option<T>, maximum: Option<T>) -> bool {
    matches!((minimum, maximum), (Some(least), Some(most)) if least > most)
}
