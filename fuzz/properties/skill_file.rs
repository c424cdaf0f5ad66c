//! Any bytes as a SKILL.md, in both readings: no panic, and every place is one of the file.

use skills_format::{SkillFile, SkillName};

/// Panics when it does not hold.
pub(crate) fn hold(bytes: &[u8]) {
    let file = SkillFile::read("skills/x/SKILL.md", "x", bytes);
    let strict = file.strict();
    let (lenient, diagnostics) = file.lenient();
    if let Some(strict) = strict {
        let lenient = lenient
            .as_ref()
            .expect("what is strictly right loads leniently");
        assert_eq!((&strict.name, &strict.body), (&lenient.name, &lenient.body));
    }
    if let Some(skill) = &lenient {
        assert!(SkillName::new(skill.name.as_str()).is_ok());
        assert!(!skill.description.trim().is_empty());
    } else {
        assert!(!diagnostics.is_empty(), "nothing is lost in silence");
    }
    for diagnostic in diagnostics {
        assert!(diagnostic.span().end <= bytes.len());
    }
}
