//! Parses the arguments of `include_skills!`.

use crate::options::Options;
use proc_macro2::{Group, Ident, Span, TokenStream};
use quote::quote;
use skills_format::text::distance::nearest;
use skills_lint::{Config, Level, Sealed};
use syn::ext::IdentExt as _;
use syn::parse::{Parse, ParseBuffer, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Lit, LitBool, LitInt, LitStr, Token, bracketed, token};

/// An invocation: a form, with options before or after it, separated by commas.
pub(crate) struct Input {
    pub(crate) form: Form,
    pub(crate) path: LitStr,
    /// The path of the runtime in generated code.
    pub(crate) krate: TokenStream,
    pub(crate) options: Options,
}

/// The form of the expansion.
pub(crate) enum Form {
    /// `"skills"`: a bundle.
    Value,
    /// `OUT_DIR, "skills"`: the bundle that the build script wrote.
    OutDir,
    /// `pub mod skill in "skills"`: a module.
    Module(Module),
}

/// The head of a module.
pub(crate) struct Module {
    pub(crate) attributes: TokenStream,
    pub(crate) visibility: TokenStream,
    pub(crate) name: Ident,
}

impl Parse for Input {
    fn parse(input: ParseStream<'_>) -> syn::Result<Self> {
        let mut found: Option<(Form, LitStr)> = None;
        let mut krate = quote!(::skills_runtime);
        let mut options = Options::default();
        let mut first_option: Option<Ident> = None;
        while !input.is_empty() {
            if input.peek(Token![crate]) && input.peek2(Token![=]) {
                input.parse::<Token![crate]>()?;
                input.parse::<Token![=]>()?;
                krate = module(input)?;
            } else if input.peek(syn::Ident) && !input.peek(kw::OUT_DIR) {
                let name = option(input, &mut options)?;
                first_option.get_or_insert(name);
            } else if found.is_none() {
                found = Some(form(input)?);
            } else {
                return Err(input.error("only one folder of skills is allowed"));
            }
            if !input.is_empty() {
                input.parse::<Token![,]>()?;
            }
        }
        let (form, path) = found.ok_or_else(|| {
            syn::Error::new(
                Span::call_site(),
                "name a folder of skills: include_skills!(\"skills\")",
            )
        })?;
        relative(&path)?;
        if let (Form::OutDir, Some(option)) = (&form, first_option) {
            return Err(baked_already(&option, &path));
        }
        Ok(Self {
            form,
            path,
            krate,
            options,
        })
    }
}

mod kw {
    syn::custom_keyword!(OUT_DIR);
}

fn form(input: ParseStream<'_>) -> syn::Result<(Form, LitStr)> {
    if input.peek(Lit) {
        return Ok((Form::Value, literal(input)?));
    }
    if input.peek(kw::OUT_DIR) {
        input.parse::<kw::OUT_DIR>()?;
        input.parse::<Token![,]>()?;
        return Ok((Form::OutDir, literal(input)?));
    }
    let attributes = attributes(input)?;
    let visibility = visibility(input)?;
    if !input.peek(Token![mod]) {
        return Err(input.error("expected a folder (`\"skills\"`), `OUT_DIR`, `mod` or an option"));
    }
    input.parse::<Token![mod]>()?;
    let name = input.parse()?;
    input.parse::<Token![in]>()?;
    let module = Module {
        attributes,
        visibility,
        name,
    };
    Ok((Form::Module(module), literal(input)?))
}

/// Parses the path of a module, without resolving it.
fn module(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let colons: Option<Token![::]> = input.parse()?;
    let mut path = quote!(#colons);
    loop {
        let is_word =
            input.peek(Token![crate]) || input.peek(Token![self]) || input.peek(Token![super]);
        let part = if is_word {
            input.call(Ident::parse_any)?
        } else {
            input.parse()?
        };
        let colons: Option<Token![::]> = input.parse()?;
        path.extend(quote!(#part #colons));
        if colons.is_none() {
            return Ok(path);
        }
    }
}

/// Parses attributes without interpreting them: rustc reads them in the expansion.
fn attributes(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let mut attributes = TokenStream::new();
    while input.peek(Token![#]) && input.peek2(token::Bracket) {
        let (sign, attribute): (Token![#], Group) = (input.parse()?, input.parse()?);
        attributes.extend(quote!(#sign #attribute));
    }
    Ok(attributes)
}

/// Parses `pub` or `pub(crate)` without interpreting it.
fn visibility(input: ParseStream<'_>) -> syn::Result<TokenStream> {
    let word: Option<Token![pub]> = input.parse()?;
    let place: Option<Group> = match word {
        Some(_) if input.peek(token::Paren) => Some(input.parse()?),
        _ => None,
    };
    Ok(quote!(#word #place))
}

/// Parses the path, which must be a string literal: a macro cannot see the value of a constant.
fn literal(input: ParseStream<'_>) -> syn::Result<LitStr> {
    if input.peek(LitStr) {
        return input.parse();
    }
    Err(input.error(LITERAL))
}

const LITERAL: &str = "a string literal is needed, the path of a folder from Cargo.toml: `include_skills!(\"skills\")`";

/// Parses `name = value`, with the names and values of `skills.toml`.
fn option(input: ParseStream<'_>, options: &mut Options) -> syn::Result<Ident> {
    let name: Ident = input.parse()?;
    if !input.peek(Token![=]) {
        return Err(syn::Error::new(name.span(), LITERAL));
    }
    input.parse::<Token![=]>()?;
    match name.to_string().as_str() {
        "deny" => levels(input, options, Level::Deny)?,
        "warn" => levels(input, options, Level::Warn)?,
        "allow" => levels(input, options, Level::Allow)?,
        "sealed" => options.sealed = Some(sealed(input)?),
        "budget" => options.budget = Some(input.parse::<LitInt>()?.base10_parse()?),
        "locked" => options.locked = Some(input.parse::<LitBool>()?.value),
        unknown => return Err(syn::Error::new(name.span(), no_option(unknown))),
    }
    Ok(name)
}

fn no_option(name: &str) -> String {
    match nearest(name, OPTIONS) {
        Some(near) => format!("there is no option `{name}`. Did you mean `{near}`?"),
        None => format!(
            "there is no option `{name}`; the options are `{}`",
            OPTIONS.join("`, `")
        ),
    }
}

const OPTIONS: [&str; 7] = [
    "crate", "deny", "warn", "allow", "sealed", "budget", "locked",
];

/// Creates the error for an option beside `OUT_DIR`: the build script has baked the skills without the option.
fn baked_already(option: &Ident, path: &LitStr) -> syn::Error {
    let (path, value) = (
        path.value(),
        match option.to_string().as_str() {
            "locked" => "",
            _ => "…",
        },
    );
    let message = format!(
        "`{option}` has no effect here: the build script bakes the skills; write \
         `skills_compiler::Build::new(\"{path}\").{option}({value})` in build.rs"
    );
    syn::Error::new(option.span(), message)
}

fn levels(input: ParseStream<'_>, options: &mut Options, level: Level) -> syn::Result<()> {
    for rule in texts(input)? {
        Config::default()
            .set(&rule.value(), level)
            .map_err(|unknown| syn::Error::new(rule.span(), unknown))?;
        options.levels.insert(rule.value(), level);
    }
    Ok(())
}

fn sealed(input: ParseStream<'_>) -> syn::Result<Sealed> {
    if input.peek(LitBool) {
        let all = input.parse::<LitBool>()?.value;
        return Ok(if all { Sealed::All } else { Sealed::None });
    }
    let names = texts(input)?;
    Ok(Sealed::Skills(names.iter().map(LitStr::value).collect()))
}

fn texts(input: ParseStream<'_>) -> syn::Result<Punctuated<LitStr, Token![,]>> {
    let content;
    bracketed!(content in input);
    content.parse_terminated(ParseBuffer::parse, Token![,])
}

/// Rejects a path that is valid on one machine only.
fn relative(path: &LitStr) -> syn::Result<()> {
    let text = path.value();
    let message = if text.contains('\\') {
        "write the path with `/` on every platform"
    } else if text.starts_with('/') || text.get(1..2) == Some(":") {
        "write the path relative to the manifest of this crate"
    } else {
        return Ok(());
    };
    Err(syn::Error::new(path.span(), message))
}

/// Parses the tokens of an invocation.
pub(crate) fn parse(input: TokenStream) -> syn::Result<Input> {
    syn::parse2(input)
}
