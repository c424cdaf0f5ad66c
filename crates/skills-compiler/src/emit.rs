//! Renders the tables of a bundle as Rust.

use crate::compile::Compiled;
use crate::folder::{Folder, LOCK_FILE};
use crate::model::BundleModel;
use crate::tables::{Entry, Row, Tables};
use crate::{rustc, schema};
use phf_codegen::Map;
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use skills_format::{Fields, Requires, Spelling, Text, ToolRule, join};
use std::borrow::Cow;

/// The version of the tables' layout. Generated code does not compile with a runtime that has a different layout. Equal
/// to `LAYOUT` in `skills-runtime/src/bundle/tables.rs`: raise both.
pub(crate) const LAYOUT: u32 = 6;

/// The expression of a bundle, and the statics that it uses. Both refer to the runtime as `__skills`.
pub(crate) struct Baked {
    pub(crate) items: TokenStream,
    pub(crate) value: TokenStream,
}

/// Bakes the bundle, or returns the rendered errors. The macro and [`Build`](crate::Build) both end here.
pub(crate) fn bake(folder: &Folder, compiled: &Compiled<'_>) -> Result<Baked, Vec<String>> {
    if compiled.is_faulty() {
        return Err(rustc::errors(folder, compiled));
    }
    match Tables::new(&compiled.model) {
        Some(tables) => Ok(render(folder, &compiled.model, &tables)),
        None => Err(vec!["the skills are too large for one bundle".to_owned()]),
    }
}

fn render(folder: &Folder, model: &BundleModel<'_>, tables: &Tables<'_>) -> Baked {
    let root = folder.path.as_str();
    let tracked = tracked(folder);
    let levels = levels(root, &tables.levels);
    let fields = tables.fields.iter().map(|fields| fields.bake());
    let fields_len = tables.fields.len();
    let rows = tables.skills.iter().map(|row| self::row(folder, row));
    let rows_len = tables.skills.len();
    let lengths = tables.skills.iter().map(|row| row.len);
    let schemas = tables.schemas.iter().map(|schema| schema::baked(schema));
    let map = map(tables);
    let text = &tables.text;
    let digests = Literal::byte_string(&tables.digests);
    let digest = Literal::byte_string(&model.digest.0);
    let parts = quote!(__skills::Parts {
        map: #map,
        skills: &SKILLS,
        text: #text,
        entries: &ENTRIES_0,
        fields: &FIELDS,
        schemas: &[#(#schemas),*],
        digests: #digests,
        digest: *#digest,
    });
    let path = &folder.path;
    let value = if folder.config.is_flat {
        // A running program reads skills in folders only.
        quote!(__skills::bundle(#parts))
    } else {
        quote!(__skills::hot!(#path, __skills::bundle(#parts)))
    };
    Baked {
        items: quote! {
            const _: () = __skills::layout(#LAYOUT);
            #levels
            static FIELDS: [__skills::Fields; #fields_len] = [#(#fields),*];
            static SKILLS: [__skills::SkillParts; #rows_len] = [#(#rows),*];
            // rustc reads the files again for `include_str!`. A file that changed since the macro read it fails the
            // build here; otherwise the tables would point to wrong places in the text.
            const _: () = __skills::unchanged(&SKILLS, &[#(#lengths),*]);
            #tracked
        },
        value,
    }
}

/// Makes cargo track the files that influence the bundle and are not part of the bundle.
fn tracked(folder: &Folder) -> TokenStream {
    let files = [
        (folder.config_path.clone(), &folder.config_text),
        (join(&folder.path, LOCK_FILE), &folder.lock_text),
    ];
    files
        .into_iter()
        .filter(|(_, text)| text.is_some())
        .map(|(file, _)| {
            let path = path("", &file);
            quote!(
                const _: &[u8] = include_bytes!(#path);
            )
        })
        .collect()
}

/// Renders the path of a file for rustc, relative to the manifest, so that the tokens are the same on every machine.
fn path(root: &str, path: &str) -> TokenStream {
    let mut path = join(root, path);
    path.insert(0, '/');
    quote!(concat!(env!("CARGO_MANIFEST_DIR"), #path))
}

/// Renders the perfect hash from keys to indices. The hash is computed here, so that a program builds no index at
/// start.
fn map(tables: &Tables<'_>) -> TokenStream {
    let mut map = Map::new();
    map.phf_path("__skills::phf");
    for (key, index) in &tables.keys {
        map.entry(*key, index.to_string());
    }
    let map = map.build();
    quote!(#map)
}

fn row(folder: &Folder, row: &Row<'_>) -> TokenStream {
    let path = path(&folder.path, &folder.written(&join(row.dir, "SKILL.md")));
    let places = row.places.map(|place| {
        let [start, len] = place.map(Literal::u32_unsuffixed);
        quote!([#start, #len])
    });
    let numbers = row.numbers.map(Literal::u32_unsuffixed);
    // A call, and not a struct with the names of its fields: tokens are most of what a bundle of 1,000 skills costs in
    // rustc, and a call needs a third of them.
    quote! {
        __skills::skill(include_str!(#path), [#(#places),*], [#(#numbers),*])
    }
}

/// Renders one static for each depth of folders, the deepest first: a folder is a slice of the next static.
fn levels(root: &str, levels: &[Vec<Entry<'_>>]) -> TokenStream {
    let name = |depth: usize| quote::format_ident!("ENTRIES_{depth}");
    levels
        .iter()
        .enumerate()
        .rev()
        .map(|(depth, entries)| {
            let (this, next, len) = (name(depth), name(depth + 1), entries.len());
            let entries = entries.iter().map(|entry| match entry {
                Entry::File { dir, path, len } => {
                    let source = self::path(root, &join(dir, path));
                    let len = Literal::usize_unsuffixed(*len);
                    quote!(__skills::file(#path, include_bytes!(#source), #len))
                }
                Entry::Dir { path, start, len } => {
                    let [start, len] = [*start, *len].map(Literal::usize_unsuffixed);
                    quote!(__skills::dir(#path, &#next, #start, #len))
                }
            });
            quote!(static #this: [__skills::DirEntry<'static>; #len] = [#(#entries),*];)
        })
        .collect()
}

/// A value that is written as the expression that makes it again.
trait Bake {
    fn bake(&self) -> TokenStream;
}

/// Bakes each field of a struct. By name and without `..`: a new field that is not baked fails to compile here.
macro_rules! bake {
    ($type:ident { $($field:ident),* $(,)? }) => {
        impl Bake for $type {
            fn bake(&self) -> TokenStream {
                let Self { $($field),* } = self;
                $(let $field = $field.bake();)*
                quote!(__skills::$type { $($field: #$field),* })
            }
        }
    };
}

bake!(Fields {
    user_invocable,
    disable_model_invocation,
    closed_by,
    display_name,
    license,
    compatibility,
    allowed_tools,
    may_approve,
    disallowed_tools,
    aliases,
    argument_hint,
    arguments,
    command_tool,
    version,
    model,
    context,
    agent,
    paths,
    when_to_use,
    homepage,
    author,
    tags,
    requires,
    sealed,
    __more_to_come,
});
bake!(Requires {
    bins,
    any_bins,
    env,
    os,
    skills,
    __more_to_come
});
bake!(ToolRule { tool, pattern });

impl Bake for () {
    fn bake(&self) -> TokenStream {
        quote!(())
    }
}

impl Bake for bool {
    fn bake(&self) -> TokenStream {
        quote!(#self)
    }
}

impl Bake for Spelling {
    fn bake(&self) -> TokenStream {
        // `Debug` writes the variant.
        let name = quote::format_ident!("{}", format!("{self:?}"));
        quote!(__skills::Spelling::#name)
    }
}

impl Bake for Text {
    fn bake(&self) -> TokenStream {
        quote!(__skills::Cow::Borrowed(#self))
    }
}

impl<T: Bake> Bake for Option<T> {
    fn bake(&self) -> TokenStream {
        self.as_ref()
            .map(T::bake)
            .map_or_else(|| quote!(None), |value| quote!(Some(#value)))
    }
}

impl<T: Bake + Clone> Bake for Cow<'static, [T]> {
    fn bake(&self) -> TokenStream {
        let items = self.iter().map(T::bake);
        quote!(__skills::Cow::Borrowed(&[#(#items),*]))
    }
}
