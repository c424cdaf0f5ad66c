//! Any bytes as `arguments.schema.json`, then words as values: places of faults are in the file, every name is found,
//! a default fits its type, and the canonical text of a value is its own canonical text.

use skills_arguments::SchemaFile;

/// Stands between the schema and the values, each in a line.
const VALUES: &[u8] = b"\n\n\n";

/// Panics when it does not hold.
pub(crate) fn hold(bytes: &[u8]) {
    let at = bytes.windows(VALUES.len()).position(|it| it == VALUES);
    let (schema, values) = bytes.split_at(at.unwrap_or(bytes.len()));
    let file = SchemaFile::read(schema);
    for fault in &file.faults {
        let span = fault.span.unwrap_or_default();
        assert!(span.start <= span.end && span.end <= schema.len());
        assert!(!fault.message.is_empty());
    }
    let values = String::from_utf8_lossy(values);
    for (place, argument) in file.schema.arguments.iter().enumerate() {
        if file.faults.is_empty() {
            let found = file.schema.find(&argument.name).map(|(place, _)| place);
            assert_eq!(found, Some(place), "{}", argument.name);
            for default in argument.default.iter().flat_map(|texts| texts.iter()) {
                assert_eq!(argument.kind.fit(default).as_deref(), Some(&**default));
            }
        }
        for written in values.lines() {
            if let Some(text) = argument.kind.fit(written) {
                assert_eq!(argument.kind.fit(&text), Some(text), "{written:?}");
            } else if let Some(near) = argument.kind.near(written) {
                assert!(argument.kind.fit(near).is_some(), "{near:?}");
            }
        }
        assert!(!argument.fits().is_empty());
    }
}
