//! Expands `include_skills!`.

#![expect(
    clippy::disallowed_methods,
    reason = "the manifest of the crate that is compiled"
)]

mod input;

use crate::build;
use crate::compile::Compiled;
use crate::emit::{Baked, bake};
use crate::expand::input::{Form, Input};
use crate::folder::Folder;
use crate::module::{self, Module};
use crate::rustc::{self, error, warning};
use proc_macro2::{Span, TokenStream};
use quote::quote;
use skills_check::Level;
use skills_check::toml::{self, Value};
use skills_format::disk::read_text;
use skills_format::{ARGUMENTS_FILE, Diagnostic, RuleId};
use std::path::{Path, PathBuf};

/// Expands `include_skills!`. Errors in the skills become compile errors in the expansion, which always has the
/// type of a bundle.
///
/// Reads the variables that cargo and rust-analyzer set: `CARGO_MANIFEST_DIR`, and `OUT_DIR` for the bundle of a
/// build script.
pub fn include_skills(input: TokenStream) -> TokenStream {
    let input = match input::parse(input.clone()) {
        Ok(input) => input,
        Err(error) => return input::expanded(&error, input),
    };
    let Input { form, path, krate } = input;
    let manifest = std::env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    let renamed = manifest
        .as_deref()
        .filter(|_| krate.is_none())
        .and_then(renamed);
    if let Some(name) = renamed {
        let path = path.value();
        let message = format!(
            "this crate calls skills-runtime `{name}`: write `include_skills!(\"{path}\", crate = ::{name})`"
        );
        return error(&message, Span::call_site());
    }
    let krate = krate.unwrap_or_else(|| quote!(::skills_runtime));
    // One name for the runtime in all generated code: a build script does not know the option `crate`.
    let runtime = quote! {
        #[allow(unused_imports)]
        use #krate::__private as __skills;
    };
    let module = match form {
        Form::OutDir => {
            let bundle = written(&path.value(), path.span());
            return value(&quote!(#runtime #bundle));
        }
        Form::Folder(module) => module,
    };
    let Some(manifest) = manifest else {
        return error(
            "CARGO_MANIFEST_DIR is not set: build with cargo",
            Span::call_site(),
        );
    };
    let mut folder = Folder::of_package(&manifest, &path.value());
    // Cargo runs rustc at the root of the workspace. An editor may run the macro in any folder.
    if let Ok(base) = std::env::current_dir()
        && base.join("Cargo.toml").is_file()
    {
        folder = folder.seen_from(&base, &manifest);
    }
    let mut compiled = folder.compile();
    compiled.diagnostics.extend(stale_bundle(&folder));
    let Some(module) = module else {
        let bundle = block(&folder, &compiled, path.span());
        return value(&quote!(#runtime #bundle));
    };
    let found = module::check(&folder, &compiled, module.is_enum);
    compiled.diagnostics.extend(found);
    let bundle = block(&folder, &compiled, path.span());
    if module.is_enum {
        // Errors between items end the build before names are resolved: a skill that cannot be read adds no error.
        let faults = faults(&folder, &compiled, path.span());
        let bundle = if faults.is_empty() { bundle } else { empty() };
        let enumeration = module::enumeration(&module, &compiled, &runtime, &bundle);
        return quote!(#faults #enumeration);
    }
    let constants = module::constants(&compiled);
    if compiled.is_faulty() && (constants.is_empty() || lacks_names(&compiled)) {
        // Errors between the items end the build before names are resolved. Inside of the bundle, each use of a skill
        // would be an error more, and no constant is known that could stand in; nor is a field or an `enum` of arguments
        // that could not be read.
        let faults = faults(&folder, &compiled, path.span());
        // The names of the other skills stand beside the errors: rustc looks for what a glob import brings all the same.
        return items(&module, &quote!(#runtime #faults #constants), &empty());
    }
    items(&module, &quote!(#runtime #constants), &bundle)
}

/// Returns the name under which a package depends on the runtime, if its manifest gives it another. rustc reports only that
/// there is no crate `skills_runtime`.
fn renamed(manifest: &Path) -> Option<String> {
    let text = read_text(&manifest.join("Cargo.toml")).ok()?;
    let table = toml::parse(&text).ok()?;
    let mut renamed = None;
    for kind in ["dependencies", "dev-dependencies"] {
        let Some(Value::Table(dependencies)) = table.get(kind).map(|it| &it.value) else {
            continue;
        };
        for (name, dependency) in &dependencies.entries {
            let package = match &dependency.value {
                Value::Table(dependency) => dependency.get("package").map(|it| &it.value),
                _ => None,
            };
            match package {
                Some(Value::Text(package)) if package == RUNTIME => {
                    renamed = Some(name.value.replace('-', "_"));
                }
                None if name.value == RUNTIME => return None,
                _ => {}
            }
        }
    }
    renamed
}

const RUNTIME: &str = "skills-runtime";

/// Renders the block that is the value. A macro cannot know whether it stands in the place of a value or of an item, where
/// a block is an error. rustc's message then quotes the first word of the block, so that the label says what to write.
fn value(statements: &TokenStream) -> TokenStream {
    quote!('_here_write_pub_mod_NAME_in_before_the_folder: { #statements })
}

/// Returns whether names are missing: a schema has an error, or a skill is hidden, a link, or in a file of another name.
fn lacks_names(compiled: &Compiled<'_>) -> bool {
    compiled.errors().any(|it| {
        let hides = [RuleId::NestedSkill, RuleId::SkillFileName, RuleId::Symlink];
        it.path.ends_with(ARGUMENTS_FILE) || hides.contains(&it.rule)
    })
}

fn items(module: &Module, constants: &TokenStream, bundle: &TokenStream) -> TokenStream {
    let Module {
        attributes,
        visibility,
        name,
        is_enum: _,
    } = module;
    quote! {
        // A description is not Rust documentation: rustdoc must not lint its brackets and tags.
        #[allow(rustdoc::all)]
        #(#attributes)*
        #visibility mod #name {
            #constants
            static __BUNDLE: __skills::Bundle = { #bundle };
            /// All skills of this module.
            pub fn bundle() -> &'static __skills::Bundle {
                &__BUNDLE
            }
        }
    }
}

/// Renders the statements of a block whose value is the bundle.
fn block(folder: &Folder, compiled: &Compiled<'_>, span: Span) -> TokenStream {
    let warnings = rustc::warnings(folder, &compiled.diagnostics);
    let warnings = warnings.iter().map(|message| warning(message, span));
    let bundle = match bake(folder, compiled) {
        Ok(Baked { items, value }) => quote!(#items #value),
        Err(errors) => {
            let (errors, empty) = (reported(&errors, span), empty());
            quote!(#errors #empty)
        }
    };
    quote!(#(#warnings)* #bundle)
}

/// Renders the errors as items.
fn faults(folder: &Folder, compiled: &Compiled<'_>, span: Span) -> TokenStream {
    reported(&rustc::errors(folder, compiled), span)
}

fn reported(errors: &[String], span: Span) -> TokenStream {
    errors.iter().map(|message| error(message, span)).collect()
}

fn empty() -> TokenStream {
    quote!(__skills::empty())
}

/// Includes the bundle or the errors that the build script wrote. The script itself has printed the warnings.
fn written(path: &str, span: Span) -> TokenStream {
    match build::written(path) {
        Ok(file) => {
            let file = format!("/{file}");
            quote!(include!(concat!(env!("OUT_DIR"), #file)))
        }
        Err(faults) => {
            let (errors, empty) = (reported(&faults, span), empty());
            quote!(#errors #empty)
        }
    }
}

/// Reports that no build script makes cargo watch the folder. What a build script watches is not known here.
///
/// Each invocation gives the finding: with a memory of the first, the tokens would depend on the order in which rustc
/// expands the invocations of a crate.
#[expect(
    clippy::disallowed_methods,
    reason = "cargo sets OUT_DIR for a crate with a build script"
)]
fn stale_bundle(folder: &Folder) -> Option<Diagnostic> {
    let severity = folder
        .config
        .severity(&(RuleId::StaleBundle, Level::Warn))?;
    if std::env::var_os("OUT_DIR").is_some() {
        return None;
    }
    let path = &folder.path;
    let message =
        "without a build script: a new skill is not noticed, and the bundle stays as it is";
    let help = format!(
        "build.rs: `fn main() {{ println!(\"cargo::rerun-if-changed={path}\"); }}`, or `allow = [\"stale-bundle\"]` in \
         `skills.toml`"
    );
    Some(Diagnostic::new(RuleId::StaleBundle, severity, path, message).help(help))
}

#[cfg(test)]
mod stale_bundle_tests {
    use crate::include_skills;
    use quote::quote;

    #[test]
    fn tokens_do_not_depend_on_earlier_expansions() {
        let expand = |folder: &str| include_skills(quote!(#folder)).to_string();
        let [a, b] = ["a", "b"].map(expand);
        let [b_first, a_second] = ["b", "a"].map(expand);
        assert_eq!((a_second, b_first), (a.clone(), b.clone()));
        for tokens in [a, b] {
            assert!(tokens.contains("stale-bundle"), "{tokens}");
        }
    }
}
