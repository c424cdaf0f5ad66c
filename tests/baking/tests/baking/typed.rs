//! Tests typed arguments of bundled skills: the tables, and the types of the module form.

#![warn(
    clippy::pedantic,
    clippy::must_use_candidate,
    unused_qualifications,
    missing_docs
)]

use skill::deploy::{Arguments, Environment, Level, Tags};
use skills_arguments::TypedArguments;
use skills_runtime::{Bundle, Catalog, ErrorKind, include_skills};
use skills_session::activation::activate;
use skills_session::activation::activate_bundled;
use skills_session::activation::activate_typed;
use skills_session::options::Options;
use std::path::Path;

static VALUE: Bundle = include_skills!("typed");

include_skills! {
    /// Skills with typed arguments.
    pub mod skill in "typed"
}

fn staging() -> Arguments {
    Arguments {
        environment: Environment::Staging,
        count: -2,
        dry_run: false,
        note: None,
        ratio: 0.5,
        level: Level::_25,
        tags: vec![Tags::BC],
        dryRun: None,
    }
}

#[test]
fn baked_as_they_would_be_discovered() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("typed");
    for bundle in [&VALUE, skill::bundle()] {
        skills_baking::assert_same(bundle, &root);
        assert!(
            bundle
                .iter()
                .all(|skill| matches!(skill.typed_arguments(), Ok(Some(_))))
        );
    }
}

#[test]
fn a_struct_gives_the_same_text_as_a_person() {
    let catalog = Catalog::builder().bundle("bundled", &VALUE).load();
    let entry = catalog.get("deploy").expect("a bundled skill");
    let mut arguments = staging();
    for (line, typed) in [
        ("staging", arguments.clone()),
        (
            "pre-production 9 --dry-run --note 'it''s \"x\"' --level=1 --tags a --tags 'b c' --dryRun",
            {
                arguments.environment = Environment::PreProduction;
                arguments.count = 9;
                arguments.dry_run = true;
                arguments.note = Some("its \"x\"".to_owned());
                arguments.level = Level::_1;
                arguments.tags = vec![Tags::A, Tags::BC];
                arguments.dryRun = Some(true);
                arguments.clone()
            },
        ),
        (
            "self --tags=[] --ratio 1e0",
            Arguments {
                environment: Environment::_Self,
                ratio: 1.0,
                tags: Vec::new(),
                ..staging()
            },
        ),
    ] {
        let by_person = activate(&Options::DEFAULT, &entry, line).expect(line);
        let by_struct = activate_typed(&Options::DEFAULT, &entry, &typed).expect(line);
        assert_eq!(by_struct.text, by_person.text, "{line}");
        assert_eq!(by_struct.arguments, by_person.arguments, "{line}");
        let alone = activate_bundled(skill::DEPLOY, &typed).expect(line);
        assert_eq!(alone.text, by_person.text, "{line}");
    }
}

#[test]
fn defaults_and_faults() {
    let arguments = skill::r#type::Arguments::default();
    assert_eq!((&*arguments.r#fn, arguments.r#move.len()), ("x", 0));
    assert_eq!(arguments.line(), "--fn=x --move='[]'");
    let refused = activate_bundled(skill::DEPLOY, &arguments);
    assert_eq!(
        refused.map(|_| ()).map_err(|error| error.kind()),
        Err(ErrorKind::Arguments)
    );
    // The required arguments alone: the others have the schema's defaults.
    assert_eq!(Arguments::new(Environment::Staging), staging());
    let too_many = Arguments {
        count: 10,
        ..staging()
    };
    let error = activate_bundled(skill::DEPLOY, &too_many).expect_err("a bound");
    assert_eq!(
        error.to_string(),
        "skill 'deploy': argument 'count' does not take '10'; it takes a whole number from -3 to 9"
    );
}
