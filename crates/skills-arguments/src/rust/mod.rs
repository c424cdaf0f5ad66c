//! Schemas as Rust, for `skills-compiler`: as data for the tables of a bundle, and as types for the module form of the macro.

mod names;

pub use names::{NameFault, faults};

use crate::rust::names::{field, identifier, variant};
use crate::schema::{Argument, Kind, Schema};
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, quote};
use skills_format::Text;
use std::collections::BTreeSet;

/// Renders a schema as a constant.
pub fn baked(schema: &Schema) -> TokenStream {
    let by_position = schema.by_position;
    let arguments = list(schema.arguments.iter().map(|argument| {
        let [name, description] = [&argument.name, &argument.description].map(text);
        let kind = kind(&argument.kind);
        let (is_list, is_required) = (argument.is_list, argument.is_required);
        let default = argument.default.as_deref();
        let default = option(default.map(|texts| list(texts.iter().map(text))));
        quote! {
            __skills::Argument {
                name: #name,
                description: #description,
                kind: #kind,
                is_list: #is_list,
                is_required: #is_required,
                default: #default,
            }
        }
    }));
    quote!(__skills::Schema { arguments: #arguments, by_position: #by_position })
}

fn kind(kind: &Kind) -> TokenStream {
    match kind {
        Kind::Boolean => quote!(__skills::Kind::Boolean),
        Kind::Integer { minimum, maximum } => {
            let [minimum, maximum] = [minimum, maximum].map(|it| option(it.as_ref()));
            quote!(__skills::Kind::Integer { minimum: #minimum, maximum: #maximum })
        }
        Kind::Number { minimum, maximum } => {
            let [minimum, maximum] = [minimum, maximum].map(|it| option(it.as_ref()));
            quote!(__skills::Kind::Number { minimum: #minimum, maximum: #maximum })
        }
        Kind::Text {
            min_length,
            max_length,
        } => {
            let [least, most] = [min_length, max_length].map(|it| option(it.as_ref()));
            quote!(__skills::Kind::Text { min_length: #least, max_length: #most })
        }
        Kind::Choice { numbers, values } => {
            let values = list(values.iter().map(text));
            quote!(__skills::Kind::Choice { numbers: #numbers, values: #values })
        }
    }
}

fn option(value: Option<impl ToTokens>) -> TokenStream {
    value.map_or_else(|| quote!(None), |value| quote!(Some(#value)))
}

/// Renders the module of a skill with typed arguments: `Arguments`, and an `enum` for each argument with listed
/// values. `name` is the skill's name. Names that cannot be Rust's are left out; [`faults`] reports them.
pub fn types(name: &str, schema: &Schema) -> Option<TokenStream> {
    let module = name.replace('-', "_");
    let module = identifier(&module).or_else(|| identifier(&format!("_{module}")))?;
    let (mut enums, mut fields, mut pushes) = (Vec::new(), Vec::new(), Vec::new());
    let (mut required, mut values) = (Vec::new(), Vec::new());
    let mut known = BTreeSet::from(["Arguments".to_owned()]);
    for argument in schema.arguments.iter() {
        let Some(field) = field(argument) else {
            continue;
        };
        let (ty, is_optional) = (scalar(argument)?, is_optional(argument));
        if let Kind::Choice { values, .. } = &argument.kind
            && known.insert(ty.to_string())
        {
            enums.push(listed(&ty, argument, values));
        }
        let (doc, text) = (&argument.description, &*argument.name);
        let (ty, push) = if argument.is_list {
            let push = quote!(push_items(&mut line, #text, &self.#field));
            (quote!(::std::vec::Vec<#ty>), push)
        } else if is_optional {
            let push = quote!(push(&mut line, #text, self.#field.as_ref()));
            (quote!(::core::option::Option<#ty>), push)
        } else {
            let value = quote!(::core::option::Option::Some(&self.#field));
            (ty, quote!(push(&mut line, #text, #value)))
        };
        fields.push(quote!(#[doc = #doc] pub #field: #ty));
        pushes.push(quote!(__skills::#push));
        if let Some(value) = default(argument) {
            values.push(quote!(#field: #value));
        } else {
            required.push(quote!(#field: #ty));
            values.push(quote!(#field));
        }
    }
    let doc = format!("The arguments of the skill `{name}`.");
    let default = required.is_empty().then(|| {
        quote! {
            impl ::core::default::Default for Arguments {
                fn default() -> Self {
                    Self::new()
                }
            }
        }
    });
    let of = format!("The types of the arguments of the skill `{name}`.");
    // Written in two pieces: the path is of the generated module, not of this file.
    let outer = quote!(super);
    Some(quote! {
        #[doc = #of]
        #[allow(non_snake_case, non_camel_case_types)]
        pub mod #module {
            use #outer::__skills;
            #[doc = #doc]
            #[derive(Clone, Debug, PartialEq)]
            pub struct Arguments { #(#fields),* }
            impl Arguments {
                /// Takes the required arguments. The others have the defaults of the schema, or no value.
                #[must_use]
                #[allow(dead_code, clippy::too_many_arguments)]
                pub fn new(#(#required),*) -> Self {
                    Self { #(#values),* }
                }
            }
            #default
            impl __skills::TypedArguments for Arguments {
                const SKILL: &'static str = #name;
                fn line(&self) -> ::std::string::String {
                    let mut line = ::std::string::String::new();
                    #(#pushes;)*
                    line
                }
            }
            #(#enums)*
        }
    })
}

/// Renders the `enum` of listed values.
fn listed(name: &TokenStream, argument: &Argument, values: &[Text]) -> TokenStream {
    let doc = if argument.description.is_empty() {
        format!("The values of `{}`.", argument.name)
    } else {
        argument.description.to_string()
    };
    // Of two values with one name the first is kept: `faults` reports the other.
    let mut known = BTreeSet::new();
    let values = values
        .iter()
        .filter_map(|value| Some((variant(value)?, value)))
        .filter(|(name, _)| known.insert(name.to_string()));
    let (variants, texts): (Vec<_>, Vec<_>) = values.unzip();
    let docs = texts.iter().map(|text| format!("`{text}`"));
    quote! {
        #[doc = #doc]
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum #name { #(#[doc = #docs] #variants),* }
        impl ::core::fmt::Display for #name {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(match *self { #(Self::#variants => #texts),* })
            }
        }
    }
}

/// Returns the type of a value, or of an item of a list.
fn scalar(argument: &Argument) -> Option<TokenStream> {
    Some(match &argument.kind {
        Kind::Boolean => quote!(bool),
        Kind::Integer { .. } => quote!(i64),
        Kind::Number { .. } => quote!(f64),
        Kind::Text { .. } => quote!(::std::string::String),
        Kind::Choice { .. } => {
            let name = variant(&argument.name)?;
            quote!(#name)
        }
    })
}

/// Returns whether an argument can have no value. A list is empty then.
fn is_optional(argument: &Argument) -> bool {
    !argument.is_list && !argument.is_required && argument.default.is_none()
}

/// Renders the default. `None` if the value must be given.
fn default(argument: &Argument) -> Option<TokenStream> {
    let value = |text: &Text| -> Option<TokenStream> {
        Some(match &argument.kind {
            Kind::Boolean => (**text == *"true").into_token_stream(),
            Kind::Integer { .. } => text.parse::<i64>().ok()?.into_token_stream(),
            Kind::Number { .. } => Literal::f64_suffixed(text.parse().ok()?).into_token_stream(),
            Kind::Text { .. } => quote!(::std::string::String::from(#text)),
            Kind::Choice { .. } => {
                let (name, value) = (scalar(argument)?, variant(text)?);
                quote!(#name::#value)
            }
        })
    };
    match (&argument.default, argument.is_list) {
        (Some(texts), true) => {
            let items: Vec<_> = texts.iter().map(value).collect::<Option<_>>()?;
            Some(quote!(::std::vec![#(#items),*]))
        }
        (Some(texts), false) => value(texts.first()?),
        (None, true) if !argument.is_required => Some(quote!(::std::vec::Vec::new())),
        (None, false) if is_optional(argument) => Some(quote!(::core::option::Option::None)),
        (None, _) => None,
    }
}

/// Renders a borrowed text.
fn text(text: &Text) -> TokenStream {
    quote!(__skills::Cow::Borrowed(#text))
}

/// Renders a borrowed list.
fn list(items: impl Iterator<Item = TokenStream>) -> TokenStream {
    quote!(__skills::Cow::Borrowed(&[#(#items),*]))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::schema::SchemaFile;

    pub(crate) fn schema(properties: &str) -> Schema {
        let text = format!("{{\"type\": \"object\", \"properties\": {properties}}}");
        let file = SchemaFile::read(text.as_bytes());
        assert_eq!(file.faults, [], "{text}");
        file.schema
    }

    #[test]
    fn names_in_rust() {
        let made = |text: &str| variant(text).map(|name| name.to_string());
        for (text, expected) in [
            ("staging", Some("Staging")),
            ("pre-production_2", Some("PreProduction2")),
            ("self", Some("_Self")),
            ("1.5", Some("_15")),
            ("zürich", Some("Zürich")),
            ("--", None),
        ] {
            assert_eq!(made(text).as_deref(), expected, "{text}");
        }
        let field = |name| identifier(name).map(|name| name.to_string());
        assert_eq!(field("type").as_deref(), Some("r#type"));
        assert_eq!(field("self"), None);
    }

    #[test]
    fn a_default_needs_all_defaults() {
        let has = |properties: &str| {
            let tokens = types("x", &schema(properties))
                .unwrap_or_default()
                .to_string();
            tokens.contains("default :: Default for Arguments")
        };
        assert!(has(
            r#"{"a": {"type": "string"}, "b": {"enum": ["x"], "default": "x"}}"#
        ));
        let required = SchemaFile::read(
            br#"{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}"#,
        );
        let tokens = types("x", &required.schema).unwrap_or_default().to_string();
        assert!(!tokens.contains("Default for Arguments"), "{tokens}");
    }
}
