//! Reads the values of typed arguments from text: words of a command line, or a JSON object.

use crate::line::{Values, joined, line};
use crate::schema::{Argument, Kind, Schema};
use skills_format::Text;
use skills_format::text::appearance::revealed;
use skills_format::text::distance::nearest;
use skills_format::text::shorten::{one_line, shortened};
use skills_format::text::words::{Word, assigned, option_of, short_option, words_with_breaks};
use skills_format::yaml::node::{Node, Value};
use skills_format::yaml::{YamlError, json};
use std::vec::IntoIter;

/// The maximum number of characters of a written value in a message.
const SHOWN: usize = 64;

/// The end of a message about a word that looks like an option.
const VALUE: &str = "; a value that begins with '-' follows '--'";

/// Reads the values. The error is a message without a full stop at its end.
pub fn parse(schema: &Schema, text: &str) -> Result<Values, String> {
    let mut parser = Parser {
        schema,
        values: vec![None; schema.arguments.len()],
        place: 0,
        is_rest: false,
    };
    let text = text.trim();
    match text.starts_with('{').then(|| json::parse(text)) {
        Some(Ok(object)) => parser.object(&object)?,
        Some(Err(error)) if is_meant_as_json(text) => return Err(not_json(text, &error)),
        _ => parser.words(words_with_breaks(text))?,
    }
    parser.finish()
}

/// Returns whether a text with `{` at its start begins as a JSON object does. `{x} is missing` is a text.
fn is_meant_as_json(text: &str) -> bool {
    let rest = text.strip_prefix('{').unwrap_or_default();
    rest.trim_start().starts_with(['"', '}'])
}

/// Returns the message about a JSON object that is broken: the place is a character of the object.
fn not_json(text: &str, error: &YamlError) -> String {
    let (before, after) = text.split_at_checked(error.offset).unwrap_or((text, ""));
    let place = before.chars().count() + 1;
    let place = if after.is_empty() {
        "at its end".to_owned()
    } else {
        format!("at character {place}, before '{}'", written(after))
    };
    format!("the JSON object is broken {place}: {}", error.message)
}

struct Parser<'s> {
    schema: &'s Schema,
    /// The texts as written.
    values: Values,
    /// The position of the next word.
    place: usize,
    /// The last position has words, and takes more.
    is_rest: bool,
}

impl<'s> Parser<'s> {
    fn words(&mut self, words: Vec<Word<'_>>) -> Result<(), String> {
        let last_named = words.iter().rposition(|word| self.is_named(&word.text));
        let before_named = words.len() - last_named.unwrap_or_default();
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            // In a text, `--` is two characters, unless a word after it would be read by its name.
            let is_needed = last_named.is_some() && words.len() >= before_named;
            if word.text == "--" && (is_needed || !self.takes_prose()) {
                return words.try_for_each(|word| self.position(word));
            }
            let is_option = !self.takes_prose() || self.is_named(&word.text);
            if let Some(option) = option_of(&word.text).filter(|_| is_option) {
                closed(&word)?;
                self.option(option, &mut words)?;
            } else if let Some((name, value)) = assigned(&word.text) {
                match self.schema.find(name) {
                    Some((place, _)) => {
                        closed(&word)?;
                        self.set(place, value.to_owned())?;
                    }
                    None if self.near(name).is_some() => return Err(self.unknown(name)),
                    None => self.position(word)?,
                }
            } else if let Some(option) = short_option(&word.text).filter(|_| !self.fits(&word.text))
            {
                return Err(self.no_short(&word.text, option));
            } else {
                self.position(word)?;
            }
        }
        Ok(())
    }

    /// Reads `--name value` or `--name=value`, without the hyphens.
    fn option(&mut self, option: &str, words: &mut IntoIter<Word<'_>>) -> Result<(), String> {
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (option, None),
        };
        let Some((place, argument)) = self.schema.find(name) else {
            let is_value = self.fits(&format!("--{option}"));
            let hint = if is_value { VALUE } else { "" };
            return Err(self.unknown(name) + hint);
        };
        let next = words.as_slice().first().map(|word| &*word.text);
        let is_flag = argument.kind == Kind::Boolean && !argument.is_list;
        let value = match (value, next) {
            (Some(value), _) => value.to_owned(),
            // `--dry-run false` means what it says. Any other word is the next value.
            (None, Some("true" | "false")) if is_flag => value_of(words)?,
            (None, _) if is_flag => "true".to_owned(),
            (None, Some(next)) if next != "--" && option_of(next).is_none() => value_of(words)?,
            (None, _) => return Err(missing(argument, "has no value")),
        };
        self.set(place, value)
    }

    /// Takes a word by its position.
    fn position(&mut self, word: Word<'_>) -> Result<(), String> {
        let arguments = &self.schema.arguments;
        if self.takes_prose() {
            let text = self.values.last_mut().and_then(Option::as_mut);
            if let Some(text) = text.and_then(|texts| texts.last_mut()) {
                text.push_str(word.gap);
                text.push_str(word.raw);
            }
            return Ok(());
        }
        closed(&word)?;
        let word = word.text;
        if self.is_rest {
            if let Some(list) = self.values.last_mut().and_then(Option::as_mut) {
                list.push(word);
            }
            return Ok(());
        }
        let written = written(&word);
        let Some(argument) = arguments
            .get(self.place)
            .filter(|_| self.schema.by_position)
        else {
            let signature = signature(self.schema);
            return Err(if self.schema.by_position {
                let has_text = |it: &Argument| matches!(it.kind, Kind::Text { .. });
                let quotes = if arguments.iter().any(has_text) {
                    "; text of several words needs quotes"
                } else {
                    ""
                };
                format!("'{written}' is one word too many{quotes}; the arguments are {signature}")
            } else {
                format!(
                    "'{written}' is not of any argument; write its name, --NAME=VALUE. The arguments are {signature}"
                )
            });
        };
        let place = self.place;
        self.place += 1;
        let is_text = matches!(argument.kind, Kind::Text { .. });
        self.is_rest = self.place == arguments.len() && (argument.is_list || is_text);
        self.add(place, vec![word])
    }

    /// Returns whether the last argument is a text that takes all further words: a quote or a hyphen is a part of it.
    fn takes_prose(&self) -> bool {
        let last = self.schema.arguments.last();
        self.is_rest && last.is_some_and(|argument| !argument.is_list)
    }

    /// Returns whether a word that looks like an option can be a value at this position.
    fn fits(&self, word: &str) -> bool {
        let next = self.schema.arguments.get(self.place);
        let next = next.filter(|_| self.schema.by_position);
        let fits = |argument: &Argument| {
            !matches!(argument.kind, Kind::Text { .. }) && argument.kind.fit(word).is_some()
        };
        self.takes_prose() || next.is_some_and(fits)
    }

    /// Sets a value that was given by its name. The places are those of the schema's arguments.
    fn set(&mut self, place: usize, value: String) -> Result<(), String> {
        let argument = &self.schema.arguments[place];
        if argument.is_list && value.starts_with('[') {
            let list = json::parse(&value).ok().and_then(|node| items(&node));
            let list = list.ok_or_else(|| does_not_take(argument, &value))?;
            return self.add(place, list);
        }
        match &mut self.values[place] {
            // Each further `--name=value` is a further item.
            Some(texts) if argument.is_list => texts.push(value),
            _ => return self.add(place, vec![value]),
        }
        Ok(())
    }

    fn add(&mut self, place: usize, texts: Vec<String>) -> Result<(), String> {
        let value = &mut self.values[place];
        if let Some(before) = value {
            let [before, again] = [&*before, &texts].map(|texts| exactly(&texts.join(" ")));
            let name = &self.schema.arguments[place].name;
            return Err(format!(
                "argument '{name}' is given twice, as '{before}' and as '{again}'"
            ));
        }
        *value = Some(texts);
        Ok(())
    }

    /// Reads the members of a JSON object. `null` is not a value.
    fn object(&mut self, object: &Node) -> Result<(), String> {
        for (key, value) in object.entries() {
            let name = key.as_str().unwrap_or_default();
            let Some((place, argument)) = self.schema.find(name) else {
                return Err(self.unknown(name));
            };
            if value.is_null() {
                continue;
            }
            let texts = match (&value.value, argument.is_list) {
                (Value::Scalar(scalar), _) => Some(vec![scalar.text.clone()]),
                (Value::Sequence(_), true) => items(value),
                _ => None,
            };
            let texts = texts.ok_or_else(|| does_not_take(argument, &value.to_json()))?;
            self.add(place, texts)?;
        }
        Ok(())
    }

    /// Compares all values with their types, and adds the defaults. All missing arguments are reported together.
    fn finish(self) -> Result<Values, String> {
        let given = self.schema.arguments.iter().zip(self.values);
        let absent = given.clone();
        let absent = absent.filter(|(argument, given)| argument.needs_value() && given.is_none());
        let absent: Vec<&Argument> = absent.map(|(argument, _)| argument).collect();
        if absent.len() > 1 {
            return Err(several_missing(&absent));
        }
        given
            .map(|(argument, given)| {
                let default = argument.default.as_deref();
                let texts: Option<Vec<String>> = match given {
                    Some(texts) => Some(of_type(argument, texts)?),
                    None => default.map(|it| it.iter().map(ToString::to_string).collect()),
                };
                // An empty list is the same as none, unless a default stands in for none.
                let has_default = default.is_some_and(|it| !it.is_empty());
                let is_some = |it: &Vec<String>| !argument.is_list || !it.is_empty() || has_default;
                match texts.filter(is_some) {
                    None if argument.needs_value() => Err(missing(argument, "is missing")),
                    texts => Ok(texts),
                }
            })
            .collect()
    }

    /// Returns the message about a word such as `-n`. No argument has a name of one hyphen.
    fn no_short(&self, word: &str, option: &str) -> String {
        let name = option.split('=').next().unwrap_or_default();
        let names = self.schema.arguments.iter().map(|argument| &*argument.name);
        let mut longer = names.filter(|long| long.starts_with(name));
        let near = match (self.near(name), longer.next(), longer.next()) {
            (Some(near), _, _) | (None, Some(near), None) => Some(near),
            _ => None,
        };
        let fits = match near {
            Some(near) => format!(" (did you mean '--{near}'?)"),
            None => format!("; the arguments are {}", signature(self.schema)),
        };
        let word = written(word);
        format!("no argument is named '{word}'{fits}{VALUE}")
    }

    /// Returns whether a word is written as an argument with its name, or with a name that resembles one.
    fn is_named(&self, word: &str) -> bool {
        let option = option_of(word).and_then(|option| option.split('=').next());
        let name = option.or_else(|| assigned(word).map(|(name, _)| name));
        name.is_some_and(|name| self.schema.find(name).is_some() || self.near(name).is_some())
    }

    fn near(&self, name: &str) -> Option<&'s str> {
        let names = self.schema.arguments.iter();
        nearest(name, names.map(|argument| &*argument.name))
    }

    fn unknown(&self, name: &str) -> String {
        let written = written(name);
        if let Some(near) = self.near(name) {
            return format!("no argument is named '{written}' (did you mean '{near}'?)");
        }
        let signature = signature(self.schema);
        format!("no argument is named '{written}'; the arguments are {signature}")
    }
}

fn of_type(argument: &Argument, texts: Vec<String>) -> Result<Vec<String>, String> {
    let texts = texts.into_iter();
    texts
        .map(|text| {
            let fit = argument.kind.fit(&text);
            fit.ok_or_else(|| does_not_take(argument, &text))
        })
        .collect()
}

fn does_not_take(argument: &Argument, text: &str) -> String {
    let (name, fits) = (&argument.name, fits(argument));
    let value = exactly(text);
    let near = argument.kind.near(text).map(exactly);
    let near = near.map_or_else(String::new, |near| format!(" (did you mean '{near}'?)"));
    format!("argument '{name}' does not take '{value}'{near}; it takes {fits}")
}

fn missing(argument: &Argument, what: &str) -> String {
    let (name, fits) = (&argument.name, fits(argument));
    format!("argument '{name}' {what}; it takes {fits}")
}

/// Returns the message about arguments that are missing.
fn several_missing(absent: &[&Argument]) -> String {
    let quoted: Vec<String> = absent.iter().map(|it| format!("'{}'", it.name)).collect();
    let takes = absent.iter();
    let takes: Vec<String> = takes
        .map(|it| format!("'{}' takes {}", it.name, fits(it)))
        .collect();
    let names = quoted.join(", ");
    format!("the arguments {names} are missing: {}", takes.join(", "))
}

/// Takes the next word as a value.
fn value_of(words: &mut IntoIter<Word<'_>>) -> Result<String, String> {
    let word = words.next().unwrap_or_default();
    closed(&word)?;
    Ok(word.text)
}

/// Refuses a value that begins with a quote which nothing closes.
fn closed(word: &Word<'_>) -> Result<(), String> {
    match word.open {
        None => Ok(()),
        Some(quote) => Err(format!(
            "the quote {quote} of '{}' is not closed; write \\{quote} for the character itself",
            written(&word.text)
        )),
    }
}

/// Returns a text from outside in the form for a message: short, on one line.
fn written(text: &str) -> String {
    let spaced = text.split_whitespace().collect::<Vec<_>>().join(" ");
    shortened(&revealed(&spaced), SHOWN).into_owned()
}

/// Returns a value in the form for a message that is about each of its characters: its white space counts.
fn exactly(text: &str) -> String {
    shortened(&revealed(text), SHOWN).into_owned()
}

/// Returns the texts of a JSON list of scalars.
fn items(node: &Node) -> Option<Vec<String>> {
    let Value::Sequence(items) = &node.value else {
        return None;
    };
    let texts = items.iter().filter(|item| !item.is_null());
    texts.map(|item| item.as_str().map(str::to_owned)).collect()
}

/// Returns the names with what fits: `environment (staging or production), dry-run (true or false, default false)`.
pub fn signature(schema: &Schema) -> String {
    let mut line = String::new();
    for argument in schema.arguments.iter() {
        if !line.is_empty() {
            line.push_str(", ");
        }
        line.push_str(&argument.name);
        line.push_str(" (");
        line.push_str(&fits(argument));
        match &argument.default {
            Some(default) => {
                line.push_str(", default ");
                match &*one_line(&default.join(" ")) {
                    "" => line.push_str("''"),
                    default => line.push_str(default),
                }
            }
            None if argument.is_required => {}
            None => line.push_str(", optional"),
        }
        line.push(')');
    }
    line
}

/// Returns the values that an argument takes, on one line.
fn fits(argument: &Argument) -> String {
    one_line(&argument.fits()).into_owned()
}

/// The values of a skill's typed arguments, for its text.
pub struct Typed {
    /// The canonical line.
    pub line: String,
    /// The names, in the order of the schema.
    pub names: Vec<Text>,
    /// The text of each argument; `None` if it is not given and has no default.
    pub values: Vec<Option<String>>,
    /// The arguments also go by their positions.
    pub by_position: bool,
}

impl Typed {
    /// Reads the values from a text. An error names the skill.
    pub fn read(schema: &Schema, text: &str) -> Result<Self, String> {
        let values: Values = parse(schema, text)?;
        let arguments = schema.arguments.iter();
        Ok(Self {
            line: line(schema, &values),
            names: arguments
                .clone()
                .map(|argument| argument.name.clone())
                .collect(),
            values: arguments
                .zip(values)
                .map(|(argument, texts)| {
                    let texts = texts?;
                    Some(if argument.is_list {
                        joined(&texts)
                    } else {
                        texts.into_iter().next().unwrap_or_default()
                    })
                })
                .collect(),
            by_position: schema.by_position,
        })
    }
}
