//! Parses the arguments of `include_skills!`.

use crate::module::Module;
use proc_macro2::{Span, TokenStream, TokenTree};
use quote::{ToTokens as _, quote};
use skills_check::CONFIG_KEYS;
use syn::ext::IdentExt as _;
use syn::parse::{ParseStream, Parser as _};
use syn::{Attribute, Error, Ident, LitStr, Path, Result, Token, Visibility};

/// An invocation: a form, with `crate = ::path` before or after it.
pub(crate) struct Input {
    pub(crate) form: Form,
    pub(crate) path: LitStr,
    /// The path of the runtime in generated code, if `crate = …` names it.
    pub(crate) krate: Option<TokenStream>,
}

/// The form of the expansion.
pub(crate) enum Form {
    /// `OUT_DIR, "skills"`: the bundle that the build script wrote.
    OutDir,
    /// A bundle of the folder: `"skills"` as a value, `pub mod skill in "skills"` as a module, `pub enum Skill in "skills"`
    /// as an enum.
    Folder(Option<Module>),
}

const OUT_DIR: &str = "OUT_DIR";
const LITERAL: &str = "a string literal is needed, the path of a folder from Cargo.toml: `include_skills!(\"skills\")`";
const NO_CONSTANTS: &str = "the bundle of a build script has no constants: name the folder here, or write \
     `static SKILLS: Bundle = include_skills!(OUT_DIR, \"skills\");`";

/// Parses the tokens of an invocation.
pub(crate) fn parse(input: TokenStream) -> Result<Input> {
    arguments.parse2(input)
}

fn arguments(input: ParseStream<'_>) -> Result<Input> {
    let mut found: Option<(Form, LitStr)> = None;
    let mut krate = None;
    while !input.is_empty() {
        if input.peek(Token![crate]) {
            let word: Token![crate] = input.parse()?;
            if !input.peek(Token![=]) {
                return Err(Error::new(word.span, LITERAL));
            }
            input.parse::<Token![=]>()?;
            krate = Some(Path::parse_mod_style(input)?.into_token_stream());
        } else if found.is_none() {
            found = Some(form(input)?);
        } else if let Some(word) = word(input).filter(|_| input.peek2(Token![=])) {
            return Err(Error::new(word.span(), no_option(&word.to_string())));
        } else {
            return Err(input.error("only one folder of skills is allowed"));
        }
        if !input.is_empty() && !input.peek(Token![,]) {
            return Err(input.error("expected `,`"));
        }
        input.parse::<Option<Token![,]>>()?;
    }
    let Some((form, path)) = found else {
        let example = "name a folder of skills: include_skills!(\"skills\")";
        return Err(Error::new(Span::call_site(), example));
    };
    relative(&path)?;
    Ok(Input { form, path, krate })
}

fn form(input: ParseStream<'_>) -> Result<(Form, LitStr)> {
    if let Some(word) = word(input) {
        if word == OUT_DIR {
            input.call(Ident::parse_any)?;
            if !input.peek(Token![,]) {
                return Err(input.error("expected `,` and the folder"));
            }
            input.parse::<Token![,]>()?;
            return Ok((Form::OutDir, literal(input)?));
        }
        if input.peek2(Token![=]) {
            return Err(Error::new(word.span(), no_option(&word.to_string())));
        }
    }
    if !input.peek(Token![#])
        && !input.peek(Token![pub])
        && !input.peek(Token![mod])
        && !input.peek(Token![enum])
        && !input.peek2(Token![in])
    {
        return Ok((Form::Folder(None), literal(input)?));
    }
    let attributes = Attribute::parse_outer(input)?;
    let visibility: Visibility = input.parse()?;
    let is_enum = input.peek(Token![enum]);
    if is_enum {
        input.parse::<Token![enum]>()?;
    } else if input.peek(Token![mod]) {
        input.parse::<Token![mod]>()?;
    } else {
        return Err(without_mod(input, &visibility));
    }
    let kind = if is_enum { "enum" } else { "module" };
    let name = input
        .parse()
        .map_err(|error| Error::new(error.span(), format!("expected the name of the {kind}")))?;
    if !input.peek(Token![in]) {
        return Err(input.error("expected `in` and the folder"));
    }
    input.parse::<Token![in]>()?;
    if word(input).is_some_and(|word| word == OUT_DIR) {
        return Err(input.error(NO_CONSTANTS));
    }
    let module = Module {
        attributes,
        visibility,
        is_enum,
        name,
    };
    Ok((Form::Folder(Some(module)), literal(input)?))
}

/// Returns the next token if it is a word.
fn word(input: ParseStream<'_>) -> Option<Ident> {
    input.fork().call(Ident::parse_any).ok()
}

/// Creates the error for `pub skill in "skills"`, at the name.
fn without_mod(input: ParseStream<'_>, visibility: &Visibility) -> Error {
    let Some(name) = word(input).filter(|_| input.peek2(Token![in])) else {
        return input
            .error("expected `mod`, a name, `in` and a folder: `pub mod skill in \"skills\"`");
    };
    let head = quote!(#visibility mod #name).to_string().replace(" (", "(");
    Error::new(
        name.span(),
        format!("write `mod` before the name of the module: `{head} in \"…\"`"),
    )
}

/// Parses the path, which must be a string literal: a macro cannot see the value of a constant.
fn literal(input: ParseStream<'_>) -> Result<LitStr> {
    input
        .parse()
        .map_err(|error| Error::new(error.span(), LITERAL))
}

fn no_option(name: &str) -> String {
    if CONFIG_KEYS.contains(&name) {
        return format!(
            "`{name}` is not an option of the macro: write `{name}` into `skills.toml`, in the folder of the skills"
        );
    }
    format!(
        "there is no option `{name}`: the macro takes `crate = ::path`, and `skills.toml` in the folder of the skills the rest"
    )
}

/// Rejects a path that is valid on one machine only.
fn relative(path: &LitStr) -> Result<()> {
    let text = path.value();
    let message = if text.starts_with('$') || text.contains("CARGO_MANIFEST_DIR") {
        "the path begins at the Cargo.toml of this crate: write `\"skills\"`, without a variable"
    } else if text.contains('\\') {
        "write the path with `/` on every platform"
    } else if text.starts_with('/') || text.get(1..2) == Some(":") {
        "write the path relative to the manifest of this crate"
    } else {
        return Ok(());
    };
    Err(Error::new(path.span(), message))
}

/// Renders an error in the arguments. The module form expands to a module with the name too: otherwise each use of the
/// module would be a second error, that there is no such crate. Errors between items end the build before the names in the
/// module are resolved.
pub(crate) fn expanded(error: &Error, input: TokenStream) -> TokenStream {
    let error = error.to_compile_error();
    match module_named(input) {
        None => error,
        Some(name) => quote!(#[allow(non_snake_case)] pub mod #name { #error }),
    }
}

/// Finds the name of a module in arguments that cannot be parsed. `mod` can be missing.
fn module_named(input: TokenStream) -> Option<Ident> {
    let tokens: Vec<TokenTree> = input.into_iter().collect();
    let word = |at: usize| match tokens.get(at) {
        Some(TokenTree::Ident(ident)) => Some(ident),
        _ => None,
    };
    (0..tokens.len()).find_map(|at| {
        if word(at)? == "mod" {
            return word(at + 1).cloned();
        }
        word(at + 1)
            .filter(|next| *next == "in")
            .and(word(at))
            .cloned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(written: &str) -> std::result::Result<Input, String> {
        parse(written.parse().expect("tokens")).map_err(|error| error.to_string())
    }

    #[test]
    fn forms_in_any_order() {
        let input = parsed("\"skills\", crate = crate::a,").expect("valid");
        assert!(matches!(input.form, Form::Folder(None)));
        assert_eq!(input.path.value(), "skills");
        assert_eq!(input.krate.expect("a path").to_string(), "crate :: a");
        let input =
            parsed("crate = ::a, #[x] #[y(1)] pub(crate) mod skill in r\"s\"").expect("valid");
        assert_eq!(input.krate.expect("a path").to_string(), ":: a");
        let Form::Folder(Some(module)) = input.form else {
            panic!("a module");
        };
        let Module {
            attributes,
            visibility,
            name,
            ..
        } = module;
        let head = quote!(#(#attributes)* #visibility mod #name).to_string();
        assert_eq!(head, "# [x] # [y (1)] pub (crate) mod skill");
        assert!(matches!(
            parsed("OUT_DIR, \"s\"").expect("valid").form,
            Form::OutDir
        ));
        assert!(parsed("mod m in \"s\"").is_ok());
        assert!(parsed("#[x] pub enum Skill in \"s\"").is_ok());
    }

    #[test]
    fn the_module_of_arguments_with_an_error() {
        let named = |written: &str| {
            module_named(written.parse().expect("tokens")).map(|name| name.to_string())
        };
        for written in [
            "pub mod skill in \"s\", denny = [\"x\"]",
            "pub mod skill \"s\"",
            "pub skill in \"s\", x = 1",
        ] {
            assert_eq!(named(written).as_deref(), Some("skill"), "{written}");
        }
        for written in ["", "\"s\", x = 1", "pub", "mod", "mod 1", "pub skill \"s\""] {
            assert_eq!(named(written), None, "{written}");
        }
    }

    #[test]
    fn each_misuse_has_its_message() {
        for (written, message) in [
            ("", "name a folder of skills"),
            ("\"a\" \"b\"", "expected `,`"),
            ("\"a\", \"b\"", "only one folder"),
            ("OUT_DIR \"a\"", "expected `,` and the folder"),
            ("OUT_DIR", "expected `,` and the folder"),
            ("pub \"a\"", "`pub mod skill in"),
            ("[1]", "a string literal is needed"),
            ("FOLDER", "a string literal is needed"),
            ("mod", "the name of the module"),
            ("mod m \"a\"", "expected `in`"),
            ("pub m in \"a\"", "`pub mod m in \"…\"`"),
            ("pub(crate) m in \"a\"", "`pub(crate) mod m in"),
            ("m in \"a\"", "`mod m in"),
            ("enum", "the name of the enum"),
            ("enum E in OUT_DIR, \"a\"", "has no constants"),
            ("mod m in", "a string literal is needed"),
            ("mod m in OUT_DIR, \"a\"", "has no constants"),
            ("locked = true, \"a\"", "write `locked` into `skills.toml`"),
            ("\"a\", lockd = true", "there is no option `lockd`"),
            ("\"a\", crate", "a string literal is needed"),
            ("\"a\", crate = 1", "expected identifier"),
            ("\"a\\\\b\"", "with `/` on every platform"),
            ("\"C:/a\"", "relative to the manifest"),
        ] {
            let found = parsed(written).err().expect(written);
            assert!(found.contains(message), "{written}: {found}");
        }
    }
}
