//! Renders the module form: a constant for each skill.

use crate::compile::{Compiled, Named};
use crate::schema;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;
use skills_format::text::map::TextMap;
use skills_format::{ARGUMENTS_FILE, Diagnostic, RuleId, Severity};

/// Renders the constants of a module. The constants refer to the runtime as `__skills`, and to the bundle as
/// `__BUNDLE`.
///
/// Names that cannot be bundled get a constant too, so that their uses add no errors to the build. In a bundle without
/// errors all names are bundled, so the position among the names is the index of the skill.
pub(crate) fn constants(compiled: &Compiled<'_>) -> TokenStream {
    let mut known: TextMap<'_, (&Named, u32)> = TextMap::default();
    for (named, index) in compiled.names.iter().zip(0_u32..) {
        if let Some(name) = identifier(named.name.as_str()) {
            known.or_insert(name, (named, index));
        }
    }
    known
        .iter()
        .map(|(name, (named, index))| {
            let Named {
                description,
                schema,
                ..
            } = named;
            let name = Ident::new(name, Span::call_site());
            let types = schema.as_ref();
            let types = types.and_then(|schema| schema::types(named.name.as_str(), schema));
            quote! {
                #types
                #[doc = #description]
                pub const #name: __skills::SkillRef = __skills::SkillRef::new(&__BUNDLE, #index);
            }
        })
        .collect()
}

/// Reports names that cannot become an identifier, and different names with the same identifier.
pub(crate) fn check(compiled: &Compiled<'_>) -> Vec<Diagnostic> {
    let mut known: TextMap<'_, &Named> = TextMap::default();
    let mut diagnostics = Vec::new();
    for named in &compiled.names {
        let name = &named.name;
        if let Some(schema) = &named.schema {
            let path = named.path.trim_end_matches("SKILL.md").to_owned() + ARGUMENTS_FILE;
            diagnostics.extend(schema::faults(schema).into_iter().map(|fault| {
                Diagnostic::new(RuleId::ConstantName, Severity::Error, path.clone(), fault)
                    .help("rename it, or use the value form: include_skills!(\"…\")")
            }));
        }
        let reported = match identifier(name.as_str()) {
            None => format!("`{name}` cannot be made a Rust identifier"),
            Some(identifier) => match known.get(&identifier) {
                Some(other) if other.name != *name => {
                    format!(
                        "`{}` and `{name}` both give the constant `{identifier}`",
                        other.name
                    )
                }
                Some(_) => continue,
                None => {
                    known.insert(identifier, named);
                    continue;
                }
            },
        };
        let path = named.path.clone();
        diagnostics.push(
            Diagnostic::new(RuleId::ConstantName, Severity::Error, path, reported)
                .help("rename the skill, or use the value form: include_skills!(\"…\")"),
        );
    }
    diagnostics
}

/// Creates the name of a constant: `SYSTEMATIC_DEBUGGING`.
fn identifier(name: &str) -> Option<String> {
    let name = name.to_uppercase().replace('-', "_");
    [name.clone(), format!("_{name}")]
        .into_iter()
        .find(|name| is_identifier(name))
}

/// Returns whether a text in capitals is one identifier. No keyword is in capitals.
fn is_identifier(text: &str) -> bool {
    let tokens = text.parse::<TokenStream>().into_iter().flatten();
    let tokens: Vec<TokenTree> = tokens.collect();
    matches!(&tokens[..], [TokenTree::Ident(ident)] if ident == text)
}

#[cfg(test)]
mod tests {
    use super::identifier;

    #[test]
    fn identifiers() {
        let made = |name| identifier(name).unwrap_or_default();
        assert_eq!(made("systematic-debugging"), "SYSTEMATIC_DEBUGGING");
        assert_eq!(made("3d-x"), "_3D_X");
        assert_eq!(made("self"), "SELF");
        assert_eq!(made("straße"), "STRASSE");
        assert_eq!(made("代码-审查"), "代码_审查");
        // Characters that names may have, and identifiers may not.
        assert_eq!(made("a·b"), "A·B");
        assert_eq!(made("²"), "");
    }
}
