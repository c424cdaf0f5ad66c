//! Reads the type of a property: its keywords, its listed values and its default.

use crate::schema::fit::{integer, number};
use crate::schema::reader::{PROPERTY, Reader, has_misspelt, text_of};
use crate::schema::{Argument, Kind, MAX_CHOICES, SchemaFault};
use skills_format::diagnostic::rule_id::RuleId;
use skills_format::skill::fields::Text;
use skills_format::yaml::node::{Node, Style, Value};
use std::borrow::Cow;

impl Reader {
    /// Reads the type of a list's items.
    pub(super) fn items(&mut self, property: &Node) -> Option<Kind> {
        for (key, _) in property.entries() {
            let name = key.as_str().unwrap_or_default();
            if PROPERTY.contains(&name)
                && !["type", "items", "default", "description", "title"].contains(&name)
            {
                let what = format!("`{name}` is not for lists");
                self.fault(key.span, what, "write it into `items`");
            }
        }
        let Some(items) = property.get("items") else {
            self.fault(
                property.span,
                "the list has no `items`",
                "write `\"items\": {\"type\": \"string\"}`",
            );
            return None;
        };
        if !matches!(items.value, Value::Mapping(_)) {
            let what = format!("`items` is {}, not an object", items.kind());
            self.fault(items.span, what, "write `{\"type\": \"string\"}`");
            return None;
        }
        let known: Vec<&str> = PROPERTY
            .into_iter()
            .filter(|key| !["default", "items"].contains(key))
            .collect();
        self.known(items, &known, "the items of a list have");
        for key in ["title", "description"] {
            self.text(items, key);
        }
        self.kind(items)
    }

    /// Reads the type of a scalar.
    pub(super) fn kind(&mut self, object: &Node) -> Option<Kind> {
        if let Some((key, _)) = object.entry("items") {
            self.fault(
                key.span,
                "`items` is for lists",
                "write `\"type\": \"array\"`",
            );
        }
        let written = object.get("type");
        let kind = written.map(text_of);
        let kind = match kind {
            Some(Some(kind @ ("string" | "integer" | "number" | "boolean"))) => Some(kind),
            Some(_) => {
                let place = written.map_or(object.span, |node| node.span);
                self.fault(place, "the type is not read here", TYPES);
                return None;
            }
            None => None,
        };
        let (key, values) = match (object.entry("enum"), object.entry("const")) {
            (Some((_, _)), Some((key, _))) => {
                self.fault(
                    key.span,
                    "`const` stands beside `enum`",
                    "remove one of the two",
                );
                return None;
            }
            (Some((key, node)), None) => match &node.value {
                Value::Sequence(values) if !values.is_empty() => (key, values.as_slice()),
                _ => {
                    self.fault(
                        node.span,
                        "`enum` is not a list of values",
                        "write `[\"a\", \"b\"]`",
                    );
                    return None;
                }
            },
            (None, Some((key, node))) => (key, std::slice::from_ref(node)),
            (None, None) => {
                let is_misspelt = |key| has_misspelt(object, &PROPERTY, key);
                if kind.is_none() && !["type", "enum", "const"].into_iter().any(is_misspelt) {
                    self.fault(object.span, "the type is missing", TYPES);
                }
                return self.bounds(object, kind?);
            }
        };
        self.choice(object, kind, key, values)
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
            self.fault(key.span, what, "list fewer values, or write a type alone");
            return None;
        }
        let of_values = || match values.first() {
            Some(first) if text_of(first).is_some() => "string",
            Some(first) if first.as_bool().is_some() => "boolean",
            _ => "number",
        };
        let help = match kind {
            Some(_) => "remove the list",
            None => "write `\"type\": \"boolean\"` in place of the list",
        };
        let kind = kind.unwrap_or_else(of_values);
        if kind == "boolean" {
            self.fault(key.span, "a truth value has no listed values", help);
            return None;
        }
        let base = Kind::plain(kind);
        let mut read: Vec<Text> = Vec::new();
        for value in values {
            match base.as_ref().and_then(|base| base.typed(value)) {
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
    fn bounds(&mut self, object: &Node, kind: &str) -> Option<Kind> {
        let mut kind = Kind::plain(kind)?;
        for (key, node) in object.entries() {
            let name = key.as_str().unwrap_or_default();
            let plain = plain_of(node);
            let is_set = match (&mut kind, name) {
                (Kind::Integer { minimum, .. }, "minimum") => set(minimum, plain.and_then(integer)),
                (Kind::Integer { maximum, .. }, "maximum") => set(maximum, plain.and_then(integer)),
                (Kind::Number { minimum, .. }, "minimum") => set(minimum, plain.and_then(number)),
                (Kind::Number { maximum, .. }, "maximum") => set(maximum, plain.and_then(number)),
                (Kind::Text { min_length, .. }, "minLength") => set(min_length, length(node)),
                (Kind::Text { max_length, .. }, "maxLength") => set(max_length, length(node)),
                (_, "minimum" | "maximum") => {
                    self.fault(
                        key.span,
                        format!("`{name}` is for numbers"),
                        "remove it, or change the type",
                    );
                    continue;
                }
                (_, "minLength" | "maxLength") => {
                    self.fault(
                        key.span,
                        format!("`{name}` is for texts"),
                        "remove it, or change the type",
                    );
                    continue;
                }
                _ => continue,
            };
            if !is_set {
                let what = format!("`{name}` is not a number of this type");
                let help = match (&kind, plain.and_then(number)) {
                    (Kind::Integer { .. }, Some(_)) => "write a whole number of 64 bits",
                    (Kind::Text { .. }, Some(_)) => "write a whole number of 0 to 4294967295",
                    _ => "write a number without quotes",
                };
                self.fault(node.span, what, help);
            }
        }
        let is_empty = match &kind {
            Kind::Integer {
                minimum: Some(least),
                maximum: Some(most),
            } => least > most,
            Kind::Number {
                minimum: Some(least),
                maximum: Some(most),
            } => least > most,
            Kind::Text {
                min_length: Some(least),
                max_length: Some(most),
            } => least > most,
            _ => false,
        };
        if is_empty {
            self.fault(
                object.span,
                "no value fits: the minimum is above the maximum",
                "swap the two",
            );
            // No default fits such a type, so a default is not reported too.
            return None;
        }
        Some(kind)
    }

    /// Reads a default, which must be of the argument's type.
    pub(super) fn default_of(
        &mut self,
        argument: &Argument,
        node: &Node,
    ) -> Option<Cow<'static, [Text]>> {
        let items = match &node.value {
            Value::Sequence(items) if argument.is_list => items.as_slice(),
            _ if argument.is_list => &[],
            _ => std::slice::from_ref(node),
        };
        let mut texts = Vec::new();
        let is_list = matches!(node.value, Value::Sequence(_));
        let misfit = if argument.is_list && !is_list {
            Some(node)
        } else {
            None
        };
        let misfit = misfit.or_else(|| {
            items.iter().find(|item| match argument.kind.typed(item) {
                Some(text) => {
                    texts.push(Text::Owned(text));
                    false
                }
                None => true,
            })
        });
        if let Some(misfit) = misfit {
            let fits = argument.fits();
            self.faults.push(SchemaFault {
                span: Some(misfit.span),
                message: format!("the default of `{}` does not fit its type", argument.name),
                help: format!("write {fits}"),
                rule: RuleId::SchemaForm,
            });
            return None;
        }
        Some(texts.into())
    }
}

const TYPES: &str = "write `string`, `integer`, `number`, `boolean`, or `array` with `items`";

impl Kind {
    fn plain(name: &str) -> Option<Self> {
        Some(match name {
            "string" => Self::Text {
                min_length: None,
                max_length: None,
            },
            "integer" => Self::Integer {
                minimum: None,
                maximum: None,
            },
            "number" => Self::Number {
                minimum: None,
                maximum: None,
            },
            "boolean" => Self::Boolean,
            _ => return None,
        })
    }

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

/// Returns a JSON number, truth value or `null` as it is written.
fn plain_of(node: &Node) -> Option<&str> {
    match &node.value {
        Value::Scalar(scalar) if scalar.style == Style::Plain => Some(&scalar.text),
        _ => None,
    }
}

fn length(node: &Node) -> Option<u32> {
    u32::try_from(integer(plain_of(node)?)?).ok()
}

/// Sets a bound to a value, or removes the bound. Returns whether the bound has a value.
fn set<T>(bound: &mut Option<T>, value: Option<T>) -> bool {
    *bound = value;
    bound.is_some()
}
