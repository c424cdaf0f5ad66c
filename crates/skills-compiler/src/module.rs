//! Renders the module form, a constant for each skill, and the enum form, a variant.

use crate::compile::{Compiled, Named};
use crate::folder::Folder;
use crate::schema;
use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;
use skills_format::{ARGUMENTS_FILE, Diagnostic, RuleId, Severity, SkillName};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use syn::{Attribute, Visibility};

/// The head of a module, or of an `enum`.
pub(crate) struct Module {
    pub(crate) attributes: Vec<Attribute>,
    pub(crate) visibility: Visibility,
    pub(crate) is_enum: bool,
    pub(crate) name: Ident,
}

/// Renders the constants of a module. The constants refer to the runtime as `__skills`, and to the bundle as
/// `__BUNDLE`.
///
/// Names that cannot be bundled get a constant too, so that their uses add no errors to the build. A skill whose name
/// is not its folder's, which is an error, gets a constant for both names: the program may use either. In a bundle
/// without errors all names are bundled, so the position among the names is the index of the skill.
pub(crate) fn constants(compiled: &Compiled<'_>) -> TokenStream {
    let faulty = faulty_schemas(compiled);
    identified(compiled, false)
        .iter()
        .map(|(constant, (name, named, index))| {
            let description = &named.description;
            let constant = Ident::new(constant, Span::call_site());
            // Of a schema with an error no field is sure. A missing module is not reported beside the error, a missing
            // field is.
            let types = named.schema.as_ref();
            let types = types.filter(|_| !faulty.contains(&schema_path(named)));
            let types = types.and_then(|schema| schema::types(name, schema));
            quote! {
                #types
                #[doc = #description]
                pub const #constant: __skills::Skill<'static> = __skills::constant(&__BUNDLE, #index);
            }
        })
        .collect()
}

/// Renders the enum form: a variant for each skill, in order of names.
pub(crate) fn enumeration(
    module: &Module,
    compiled: &Compiled<'_>,
    runtime: &TokenStream,
    bundle: &TokenStream,
) -> TokenStream {
    let known = identified(compiled, true);
    let mut skills: Vec<_> = known.iter().collect();
    skills.sort_by_key(|(_, (_, _, index))| *index);
    let variants = skills
        .iter()
        .map(|(variant, _)| Ident::new(variant, Span::call_site()));
    let variants: Vec<Ident> = variants.collect();
    let names: Vec<&str> = skills.iter().map(|(_, (name, ..))| name.as_ref()).collect();
    let descriptions = skills.iter().map(|(_, (_, named, _))| &named.description);
    let indices = skills.iter().map(|(_, (_, _, index))| index);
    let Module {
        attributes,
        visibility,
        is_enum: _,
        name,
    } = module;
    quote! {
        // A description is not Rust documentation, and a program does not call every function.
        #[allow(rustdoc::all, dead_code, non_camel_case_types)]
        #(#attributes)*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #visibility enum #name {
            #(#[doc = #descriptions] #variants,)*
        }
        const _: () = {
            #runtime
            static __BUNDLE: __skills::Bundle = { #bundle };
            #[allow(dead_code)]
            impl #name {
                /// All skills, in order of names.
                pub const ALL: &'static [Self] = &[#(Self::#variants),*];

                /// Finds the skill with this name.
                pub fn from_name(name: &str) -> ::core::option::Option<Self> {
                    match name {
                        #(#names => ::core::option::Option::Some(Self::#variants),)*
                        _ => ::core::option::Option::None,
                    }
                }

                /// Returns the name.
                pub fn name(self) -> &'static str {
                    self.skill().name()
                }

                /// Returns the instructions.
                pub fn body(self) -> &'static str {
                    __skills::body(self.skill())
                }

                /// Returns the skill with its fields and files.
                pub fn skill(self) -> __skills::Skill<'static> {
                    let index = match self {
                        #(Self::#variants => #indices,)*
                    };
                    __skills::constant(&__BUNDLE, index)
                }

                /// Returns the bundle of all skills.
                pub fn bundle() -> &'static __skills::Bundle {
                    &__BUNDLE
                }
            }
        };
    }
}

/// Returns the skills by their identifier: the name, what is known of the skill, and its index.
fn identified<'c>(
    compiled: &'c Compiled<'_>,
    is_enum: bool,
) -> BTreeMap<String, (Cow<'c, str>, &'c Named, u32)> {
    let mut known = BTreeMap::new();
    let all = || compiled.names.iter().zip(0_u32..);
    let written = all().map(|(named, index)| (Cow::Borrowed(named.name.as_str()), named, index));
    // Written names come first: the folder of one skill can have the name of another.
    let misnamed = misnamed(compiled);
    let misnamed = all().filter(|(named, _)| misnamed.contains(named.path.as_str()));
    let of_folders = misnamed.filter_map(|(named, index)| {
        let name = folder_name(&named.path)?.to_string();
        Some((Cow::Owned(name), named, index))
    });
    for (name, named, index) in written.chain(of_folders) {
        if let Some(identifier) = identifier(&name, is_enum) {
            known.entry(identifier).or_insert((name, named, index));
        }
    }
    known
}

/// Returns the paths of the schemas that have errors.
fn faulty_schemas(compiled: &Compiled<'_>) -> BTreeSet<String> {
    let paths = compiled.errors().map(|it| it.path.clone());
    paths
        .filter(|path| path.ends_with(ARGUMENTS_FILE))
        .collect()
}

/// Returns the printed path of a skill's schema.
fn schema_path(named: &Named) -> String {
    named.path.trim_end_matches("SKILL.md").to_owned() + ARGUMENTS_FILE
}

/// Returns the paths of the skills whose name differs from their folder's, which is an error.
fn misnamed<'c>(compiled: &'c Compiled<'_>) -> BTreeSet<&'c str> {
    let errors = compiled.errors().filter(|it| it.is(RuleId::NameMismatch));
    errors.map(|it| it.path.as_str()).collect()
}

/// Returns the name that a skill has by its folder.
fn folder_name(path: &str) -> Option<SkillName> {
    let folder = path.strip_suffix("/SKILL.md");
    // The file of a flat folder.
    let written = folder.or_else(|| path.strip_suffix(".md"))?;
    SkillName::make(written.rsplit('/').next()?)
}

/// Reports names that cannot become an identifier, and different names with the same identifier.
pub(crate) fn check(folder: &Folder, compiled: &Compiled<'_>, is_enum: bool) -> Vec<Diagnostic> {
    let mut known: BTreeMap<String, &Named> = BTreeMap::new();
    let mut diagnostics = Vec::new();
    for named in &compiled.names {
        let name = &named.name;
        if let Some(schema) = named.schema.as_ref().filter(|_| !is_enum) {
            let path = schema_path(named);
            diagnostics.extend(schema::name_findings(folder, &path, schema));
        }
        let reported = match identifier(name.as_str(), is_enum) {
            None => format!("`{name}` cannot be made a Rust identifier"),
            Some(identifier) => match known.get(&identifier) {
                Some(other) if other.name != *name => {
                    let kind = if is_enum { "variant" } else { "constant" };
                    format!(
                        "`{}` and `{name}` both give the {kind} `{identifier}`",
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

/// Creates the name of a constant, `SYSTEMATIC_DEBUGGING`, or of a variant, `SystematicDebugging`.
fn identifier(name: &str, is_enum: bool) -> Option<String> {
    let name = if is_enum {
        name.split('-').map(capitalized).collect()
    } else {
        name.to_uppercase().replace('-', "_")
    };
    [name.clone(), format!("_{name}")]
        .into_iter()
        .find(|name| is_identifier(name))
}

fn capitalized(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().into_iter().flat_map(char::to_uppercase);
    first.chain(chars).collect()
}

/// Returns whether a text with a capital first is one identifier. `Self` is the only such keyword.
fn is_identifier(text: &str) -> bool {
    let tokens = text.parse::<TokenStream>().into_iter().flatten();
    let tokens: Vec<TokenTree> = tokens.collect();
    matches!(&tokens[..], [TokenTree::Ident(ident)] if ident == text && text != "Self")
}

#[cfg(test)]
mod tests {
    use super::identifier;

    #[test]
    fn identifiers() {
        let made = |name| identifier(name, false).unwrap_or_default();
        assert_eq!(made("systematic-debugging"), "SYSTEMATIC_DEBUGGING");
        assert_eq!(made("3d-x"), "_3D_X");
        assert_eq!(made("self"), "SELF");
        assert_eq!(made("straße"), "STRASSE");
        assert_eq!(made("代码-审查"), "代码_审查");
        // Characters that names may have, and identifiers may not.
        assert_eq!(made("a·b"), "A·B");
        assert_eq!(made("²"), "");
        let made = |name| identifier(name, true).unwrap_or_default();
        assert_eq!(made("systematic-debugging"), "SystematicDebugging");
        assert_eq!(made("3d-x"), "_3dX");
        assert_eq!(made("self"), "_Self");
        assert_eq!(made("ß-x"), "SSX");
    }
}
