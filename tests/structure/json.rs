//! `docs/json.md`: every document of the program, written from the schemas of `docs/schema`.
//!
//! `UPDATE_DOCS=1 cargo test -p skills-tests --test structure` writes it.

use crate::repository;
use serde_json::Value;
use std::fmt::Write;
use std::fs;

const START: &str = "<!-- written from docs/schema -->\n";

#[test]
fn the_page_of_documents_has_every_field_of_the_schemas() {
    let path = repository().join("docs/json.md");
    let written = fs::read_to_string(&path).expect("the page");
    let (intro, _) = written.split_once(START).expect("the mark");
    let page = format!("{intro}{START}{}", documents());
    if std::env::var_os("UPDATE_DOCS").is_some() {
        fs::write(&path, page).expect("write the page");
    } else {
        assert_eq!(written, page, "run it with UPDATE_DOCS=1");
    }
}

fn documents() -> String {
    let folder = repository().join("docs/schema");
    let mut names: Vec<_> = fs::read_dir(folder)
        .expect("the schemas")
        .map(|file| file.expect("a schema").path())
        .collect();
    names.sort();
    let mut page = String::new();
    let mut parts = String::new();
    for path in names {
        let text = fs::read_to_string(&path).expect("a schema");
        let schema: Value = serde_json::from_str(&text).expect("JSON");
        if path.ends_with("parts.json") {
            for (name, part) in schema["$defs"].as_object().into_iter().flatten() {
                section(&mut parts, &format!("### {name}"), part);
            }
            continue;
        }
        let schema = with_own_parts(&schema, &schema);
        let title = schema["title"].as_str().unwrap_or_default();
        section(
            &mut page,
            &format!("## {}", title.replace(" --format json", "")),
            &schema,
        );
    }
    format!("{page}\n## Parts of several documents\n{parts}")
}

/// Returns a schema with the definitions that only its file uses in their places.
fn with_own_parts(schema: &Value, file: &Value) -> Value {
    match schema {
        Value::Object(fields) => {
            if let Some(pointer) = schema["$ref"].as_str().and_then(|it| it.strip_prefix('#')) {
                return with_own_parts(file.pointer(pointer).expect("a definition"), file);
            }
            let fields = fields
                .iter()
                .map(|(name, it)| (name.clone(), with_own_parts(it, file)));
            Value::Object(fields.collect())
        }
        Value::Array(items) => items.iter().map(|it| with_own_parts(it, file)).collect(),
        other => other.clone(),
    }
}

fn section(page: &mut String, heading: &str, schema: &Value) {
    _ = writeln!(page, "\n{heading}");
    if let Some(text) = schema["description"].as_str() {
        _ = writeln!(page, "\n{text}");
    }
    let mut rows = Vec::new();
    fields(schema, "", true, &mut rows);
    if rows.is_empty() {
        _ = writeln!(page, "\nThis is {}.", value(schema));
        return;
    }
    page.push_str("\n| field | value | |\n|---|---|---|\n");
    for row in rows {
        let optional = if row.is_required { "" } else { "optional: " };
        let values = row.values.join(" or ");
        _ = writeln!(
            page,
            "| `{}` | {optional}{values} | {}|",
            row.path, row.description
        );
    }
}

struct Row {
    path: String,
    values: Vec<String>,
    /// Whether every form of the document has it.
    is_required: bool,
    description: String,
}

/// Adds the fields of a schema. Alternatives share a row.
fn fields(schema: &Value, path: &str, is_required: bool, rows: &mut Vec<Row>) {
    let alternatives = alternatives(schema);
    for one in alternatives {
        fields(one, path, is_required && alternatives.len() == 1, rows);
    }
    if let Some(items) = schema.get("items") {
        fields(items, &format!("{path}[]"), is_required, rows);
    }
    let required = schema["required"].as_array();
    for (name, field) in schema["properties"].as_object().into_iter().flatten() {
        if name == "schema" && path.is_empty() {
            continue;
        }
        let at = if path.is_empty() {
            name.clone()
        } else {
            format!("{path}.{name}")
        };
        let is_required = is_required && required.is_some_and(|it| it.iter().any(|it| it == name));
        let description = field["description"].as_str().unwrap_or_default();
        let value = value(field);
        match rows.iter_mut().find(|row| row.path == at) {
            Some(row) if row.values.contains(&value) => {}
            Some(row) => row.values.push(value),
            None => rows.push(Row {
                path: at.clone(),
                values: vec![value],
                is_required,
                description: if description.is_empty() {
                    String::new()
                } else {
                    format!("{description} ")
                },
            }),
        }
        fields(field, &at, true, rows);
    }
}

fn alternatives(schema: &Value) -> &[Value] {
    let forms = schema.get("oneOf").or_else(|| schema.get("anyOf"));
    forms.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Returns what a field holds, in words.
fn value(schema: &Value) -> String {
    let code = |value: &Value| match value {
        Value::Null => "null".to_owned(),
        Value::String(text) => format!("`{text}`"),
        other => format!("`{other}`"),
    };
    if let Some(name) = schema["$ref"].as_str().and_then(|it| it.rsplit('/').next()) {
        return format!("[{name}](#{name})");
    }
    if let Some(constant) = schema.get("const") {
        return code(constant);
    }
    if let Some(values) = schema["enum"].as_array() {
        return values.iter().map(code).collect::<Vec<_>>().join(", ");
    }
    let forms: Vec<String> = match &schema["type"] {
        Value::String(kind) if kind == "array" => match schema.get("items") {
            Some(items) => vec![format!("array of {}", value(items))],
            None => vec!["array".to_owned()],
        },
        Value::String(kind) => vec![kind.clone()],
        Value::Array(kinds) => kinds
            .iter()
            .filter_map(|it| it.as_str().map(str::to_owned))
            .collect(),
        _ => alternatives(schema).iter().map(value).collect(),
    };
    let mut distinct: Vec<String> = Vec::new();
    for form in forms {
        if !distinct.contains(&form) {
            distinct.push(form);
        }
    }
    if distinct.is_empty() {
        "any value".to_owned()
    } else {
        distinct.join(" or ")
    }
}
