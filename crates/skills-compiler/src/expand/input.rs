//! Parses the arguments of `include_skills!`.

use crate::expand::tokens::{Misuse, Text, Tokens};
use crate::options::Options;
use proc_macro2::{Delimiter, Ident, Span, TokenStream};
use quote::{ToTokens as _, quote};
use skills_format::text::distance::nearest;
use skills_lint::{Config, Level, Sealed};

/// An invocation: a form, with options before or after it, separated by commas.
#[derive(Debug)]
pub(crate) struct Input {
    pub(crate) form: Form,
    pub(crate) path: Text,
    /// The path of the runtime in generated code.
    pub(crate) krate: TokenStream,
    pub(crate) options: Options,
}

/// The form of the expansion.
#[derive(Debug)]
pub(crate) enum Form {
    /// `OUT_DIR, "skills"`: the bundle that the build script wrote.
    OutDir,
    /// A bundle of the folder: `"skills"` as a value, `pub mod skill in "skills"` as a module.
    Folder(Option<Module>),
}

/// The head of a module.
#[derive(Debug)]
pub(crate) struct Module {
    pub(crate) attributes: TokenStream,
    pub(crate) visibility: TokenStream,
    pub(crate) name: Ident,
}

/// Parses the tokens of an invocation.
pub(crate) fn parse(input: TokenStream) -> Result<Input, Misuse> {
    let mut tokens = Tokens::new(input);
    let mut found: Option<(Form, Text)> = None;
    let mut krate = quote!(::skills_runtime);
    let mut options = Options::default();
    let mut first_option: Option<Ident> = None;
    while !tokens.is_empty() {
        if let Some(word) = tokens.this_word("crate") {
            equals(&mut tokens, &word)?;
            krate = module(&mut tokens)?;
        } else if let Some(name) = option(&mut tokens, &mut options)? {
            first_option.get_or_insert(name);
        } else if found.is_none() {
            found = Some(form(&mut tokens)?);
        } else {
            return Err(tokens.expected("only one folder of skills is allowed"));
        }
        if !tokens.is_empty() && tokens.sign(',').is_none() {
            return Err(tokens.expected("expected `,`"));
        }
    }
    let (form, path) = found.ok_or_else(|| {
        let example = "name a folder of skills: include_skills!(\"skills\")";
        Misuse::new(Span::call_site(), example)
    })?;
    relative(&path)?;
    if let (Form::OutDir, Some(option)) = (&form, first_option) {
        return Err(baked_already(&option, &path));
    }
    Ok(Input {
        form,
        path,
        krate,
        options,
    })
}

fn form(tokens: &mut Tokens) -> Result<(Form, Text), Misuse> {
    if tokens.is_literal() {
        return Ok((Form::Folder(None), literal(tokens)?));
    }
    if tokens.this_word(OUT_DIR).is_some() {
        if tokens.sign(',').is_none() {
            return Err(tokens.expected("expected `,` and the folder"));
        }
        return Ok((Form::OutDir, literal(tokens)?));
    }
    let attributes = attributes(tokens);
    let visibility = visibility(tokens);
    if tokens.this_word("mod").is_none() {
        if tokens.is_before("in") {
            return Err(without_mod(tokens, &visibility));
        }
        return Err(
            tokens.expected("expected a folder (`\"skills\"`), `OUT_DIR`, `mod` or an option")
        );
    }
    let name = tokens
        .word()
        .ok_or_else(|| tokens.expected("expected the name of the module"))?;
    if tokens.this_word("in").is_none() {
        return Err(tokens.expected("expected `in` and the folder"));
    }
    if tokens.is_word(OUT_DIR) {
        return Err(tokens.expected(NO_CONSTANTS));
    }
    let module = Module {
        attributes,
        visibility,
        name,
    };
    Ok((Form::Folder(Some(module)), literal(tokens)?))
}

/// Creates the error for `pub skill in "skills"`, at the name.
fn without_mod(tokens: &mut Tokens, visibility: &TokenStream) -> Misuse {
    let span = tokens.span();
    let name = tokens.word().into_token_stream();
    let head = quote!(#visibility mod #name).to_string().replace(" (", "(");
    let message = format!("write `mod` before the name of the module: `{head} in \"…\"`");
    Misuse::new(span, message)
}

const OUT_DIR: &str = "OUT_DIR";
const NO_CONSTANTS: &str = "the bundle of a build script has no constants: name the folder here, or write \
     `static SKILLS: Bundle = include_skills!(OUT_DIR, \"skills\");`";

/// Parses the path of a module, without resolving it.
fn module(tokens: &mut Tokens) -> Result<TokenStream, Misuse> {
    let mut path = TokenStream::new();
    colons(tokens, &mut path)?;
    loop {
        let part = tokens.word();
        path.extend([part
            .ok_or_else(|| tokens.expected("expected a path, as `::skills_runtime`"))?
            .into_token_stream()]);
        if !colons(tokens, &mut path)? {
            return Ok(path);
        }
    }
}

/// Parses `::`, and returns whether it is there.
fn colons(tokens: &mut Tokens, path: &mut TokenStream) -> Result<bool, Misuse> {
    let Some(first) = tokens.sign(':') else {
        return Ok(false);
    };
    let second = tokens.sign(':');
    path.extend([
        first,
        second.ok_or_else(|| tokens.expected("expected `::`"))?,
    ]);
    Ok(true)
}

/// Finds the visibility and the name of a module in an invocation that cannot be parsed. `mod` can be missing.
pub(crate) fn module_named(input: TokenStream) -> Option<Module> {
    let mut tokens = Tokens::new(input);
    while !tokens.is_empty() {
        let visibility = visibility(&mut tokens);
        if tokens.this_word("mod").is_some() || tokens.is_before("in") {
            return Some(Module {
                attributes: TokenStream::new(),
                visibility,
                name: tokens.word()?,
            });
        }
        if visibility.is_empty() {
            tokens.skip();
        }
    }
    None
}

/// Parses attributes without interpreting them: rustc reads them in the expansion.
fn attributes(tokens: &mut Tokens) -> TokenStream {
    let mut attributes = TokenStream::new();
    while let Some(sign) = tokens.sign('#') {
        let attribute = tokens.group(Delimiter::Bracket);
        attributes.extend(quote!(#sign #attribute));
    }
    attributes
}

/// Parses `pub` or `pub(crate)` without interpreting it.
fn visibility(tokens: &mut Tokens) -> TokenStream {
    let word = tokens.this_word("pub");
    let place = word
        .as_ref()
        .and_then(|_| tokens.group(Delimiter::Parenthesis));
    quote!(#word #place)
}

/// Parses the path, which must be a string literal: a macro cannot see the value of a constant.
fn literal(tokens: &mut Tokens) -> Result<Text, Misuse> {
    tokens.text().ok_or_else(|| tokens.expected(LITERAL))
}

const LITERAL: &str = "a string literal is needed, the path of a folder from Cargo.toml: `include_skills!(\"skills\")`";

/// Parses `name = value`, with the names and values of `skills.toml`, if an option is next.
fn option(tokens: &mut Tokens, options: &mut Options) -> Result<Option<Ident>, Misuse> {
    let is_form = |form: &&str| tokens.is_word(form);
    if ["pub", "mod", OUT_DIR].iter().any(is_form) || tokens.is_before("in") {
        return Ok(None);
    }
    let Some(name) = tokens.word() else {
        return Ok(None);
    };
    equals(tokens, &name)?;
    match name.to_string().as_str() {
        "deny" => levels(tokens, options, Level::Deny)?,
        "warn" => levels(tokens, options, Level::Warn)?,
        "allow" => levels(tokens, options, Level::Allow)?,
        "sealed" => options.sealed = Some(sealed(tokens)?),
        "budget" => options.budget = Some(budget(tokens)?),
        "locked" => {
            options.locked = Some(yes_or_no(tokens).ok_or_else(|| tokens.expected(YES_OR_NO))?);
        }
        unknown => return Err(Misuse::new(name.span(), no_option(unknown))),
    }
    Ok(Some(name))
}

const YES_OR_NO: &str = "expected `true` or `false`";

/// Parses the `=` of an option. A word without `=` stands where the path is needed.
fn equals(tokens: &mut Tokens, name: &Ident) -> Result<(), Misuse> {
    match tokens.sign('=') {
        Some(_) => Ok(()),
        None => Err(Misuse::new(name.span(), LITERAL)),
    }
}

fn no_option(name: &str) -> String {
    if FILE_KEYS.contains(&name) {
        return format!(
            "`{name}` is not an option of the macro: write `{name}` into `skills.toml`, in the folder of the skills"
        );
    }
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

/// The keys of `skills.toml` that are not options.
const FILE_KEYS: [&str; 6] = ["rules", "clients", "tools", "limits", "exclude", "override"];

/// Creates the error for an option beside `OUT_DIR`: the build script has baked the skills without the option.
fn baked_already(option: &Ident, path: &Text) -> Misuse {
    let (path, value) = (
        &path.value,
        match option.to_string().as_str() {
            "locked" => "",
            _ => "…",
        },
    );
    let message = format!(
        "`{option}` has no effect here: the build script bakes the skills; write \
         `skills_compiler::Build::new(\"{path}\").{option}({value})` in build.rs"
    );
    Misuse::new(option.span(), message)
}

fn levels(tokens: &mut Tokens, options: &mut Options, level: Level) -> Result<(), Misuse> {
    for rule in texts(tokens)? {
        Config::default()
            .set(&rule.value, level)
            .map_err(|unknown| Misuse::new(rule.span, unknown.to_string()))?;
        options.levels.insert(rule.value, level);
    }
    Ok(())
}

fn sealed(tokens: &mut Tokens) -> Result<Sealed, Misuse> {
    match yes_or_no(tokens) {
        Some(true) => Ok(Sealed::All),
        Some(false) => Ok(Sealed::None),
        None => {
            let names = texts(tokens)?.into_iter();
            Ok(Sealed::Skills(names.map(|name| name.value).collect()))
        }
    }
}

fn yes_or_no(tokens: &mut Tokens) -> Option<bool> {
    let yes = tokens.this_word("true").map(|_| true);
    yes.or_else(|| tokens.this_word("false").map(|_| false))
}

/// Parses a number as Rust writes it: `8000` or `8_000`.
fn budget(tokens: &mut Tokens) -> Result<usize, Misuse> {
    let wrong = tokens.expected("expected a number of characters");
    let digits = tokens
        .literal()
        .map(|number| number.to_string().replace('_', ""));
    digits.and_then(|digits| digits.parse().ok()).ok_or(wrong)
}

/// Parses a list of texts: `["a", "b"]`.
fn texts(tokens: &mut Tokens) -> Result<Vec<Text>, Misuse> {
    let wrong = tokens.expected("expected a list of texts, as `[\"…\"]`");
    let mut inner = Tokens::new(tokens.group(Delimiter::Bracket).ok_or(wrong)?.stream());
    let mut texts = Vec::new();
    while !inner.is_empty() {
        let text = inner.text();
        texts.push(text.ok_or_else(|| inner.expected("expected a text in quotes"))?);
        if !inner.is_empty() && inner.sign(',').is_none() {
            return Err(inner.expected("expected `,`"));
        }
    }
    Ok(texts)
}

/// Rejects a path that is valid on one machine only.
fn relative(path: &Text) -> Result<(), Misuse> {
    let text = path.value.as_str();
    let message = if text.starts_with('$') || text.contains("CARGO_MANIFEST_DIR") {
        "the path begins at the Cargo.toml of this crate: write `\"skills\"`, without a variable"
    } else if text.contains('\\') {
        "write the path with `/` on every platform"
    } else if text.starts_with('/') || text.get(1..2) == Some(":") {
        "write the path relative to the manifest of this crate"
    } else {
        return Ok(());
    };
    Err(Misuse::new(path.span, message))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(written: &str) -> Result<Input, String> {
        let parsed = parse(written.parse().expect("tokens"));
        parsed.map_err(|misuse| misuse.into_compile_error().to_string())
    }

    #[test]
    fn forms_and_options_in_any_order() {
        let input =
            parsed("sealed = [\"a\",], \"skills\", budget = 8_000, locked = true,").expect("valid");
        assert!(matches!(input.form, Form::Folder(None)));
        assert_eq!(input.path.value, "skills");
        assert_eq!(input.krate.to_string(), ":: skills_runtime");
        assert_eq!(
            input.options.sealed,
            Some(Sealed::Skills(vec!["a".to_owned()]))
        );
        assert_eq!(
            (input.options.budget, input.options.locked),
            (Some(8000), Some(true))
        );
        let input =
            parsed("crate = crate::a, #[x] #[y(1)] pub(crate) mod skill in \"s\", sealed = false");
        let input = input.expect("valid");
        assert_eq!(input.krate.to_string(), "crate :: a");
        assert_eq!(input.options.sealed, Some(Sealed::None));
        let Form::Folder(Some(module)) = input.form else {
            panic!("{:?}", input.form);
        };
        assert_eq!(module.attributes.to_string(), "# [x] # [y (1)]");
        assert_eq!(module.visibility.to_string(), "pub (crate)");
        assert_eq!(module.name, "skill");
        assert!(matches!(
            parsed("OUT_DIR, \"s\"").expect("valid").form,
            Form::OutDir
        ));
        assert!(parsed("mod m in \"s\"").is_ok());
    }

    #[test]
    fn the_module_of_an_invocation_with_an_error() {
        let named = |written: &str| {
            let module = module_named(written.parse().expect("tokens"))?;
            Some(format!("{} mod {}", module.visibility, module.name))
        };
        for written in [
            "pub mod skill in \"s\", denny = [\"x\"]",
            "x = pub, #[a] pub mod skill \"s\"",
            "pub mod skill in s",
            "pub skill in \"s\", x = 1",
        ] {
            assert_eq!(
                named(written).as_deref(),
                Some("pub mod skill"),
                "{written}"
            );
        }
        assert_eq!(
            named("pub(crate) mod a").as_deref(),
            Some("pub (crate) mod a")
        );
        assert_eq!(named("mod a b").as_deref(), Some(" mod a"));
        for written in ["", "\"s\", x = 1", "pub", "mod", "mod 1", "pub skill \"s\""] {
            assert_eq!(named(written), None, "{written}");
        }
    }

    #[test]
    fn each_misuse_has_its_message() {
        for (written, message) in [
            ("\"a\" \"b\"", "expected `,`"),
            ("\"a\", \"b\"", "only one folder"),
            ("OUT_DIR \"a\"", "expected `,` and the folder"),
            ("OUT_DIR", "expected `,` and the folder"),
            ("pub \"a\"", "expected a folder"),
            ("[1]", "expected a folder"),
            ("mod", "the name of the module"),
            ("mod m \"a\"", "expected `in`"),
            ("pub m in \"a\"", "`pub mod m in \\\"…\\\"`"),
            ("pub(crate) m in \"a\"", "`pub(crate) mod m in"),
            ("locked = true, m in \"a\"", "`mod m in"),
            ("mod m in", "a string literal is needed"),
            ("mod m in OUT_DIR, \"a\"", "has no constants"),
            (
                "\"a\", clients = [\"codex\"]",
                "write `clients` into `skills.toml`",
            ),
            ("\"a\", crate", "a string literal is needed"),
            ("\"a\", crate = 1", "expected a path"),
            ("\"a\", crate = :x", "expected `::`"),
            ("\"a\", locked = 1", "`true` or `false`"),
            ("\"a\", budget = -1", "a number of characters"),
            ("\"a\", budget = many", "a number of characters"),
            ("\"a\", sealed = 1", "a list of texts"),
            ("\"a\", sealed = [a]", "a text in quotes"),
            ("\"a\", sealed = [\"a\" \"b\"]", "expected `,`"),
            ("\"a\\\\b\"", "with `/` on every platform"),
            ("\"C:/a\"", "relative to the manifest"),
        ] {
            let found = parsed(written).expect_err(written);
            assert!(found.contains(message), "{written}: {found}");
        }
    }
}
