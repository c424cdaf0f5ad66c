//! Starts a skill of a conversation with the values of a struct.

use crate::dialect::notice::Notice;
use crate::session::Session;
use crate::session::turn::TurnOutcome;
use skills_arguments::TypedArguments;
use skills_format::ARGUMENTS_FILE;
use skills_runtime::Catalog;
use skills_runtime::Surface;

impl Session {
    /// Starts a skill for a person with the values of a struct: the struct `Arguments` of the skill, of the module form
    /// of [`include_skills!`](skills_runtime::include_skills).
    ///
    /// It starts the skill that `/name` starts: that of a person's folder, if it goes before the bundled skill. Then its
    /// `arguments.schema.json` decides what fits. A skill that lists `arguments` and has no schema does not start. To start
    /// the bundled skill whatever else has the name, seal it, or [`run`](Self::run) `bundled:deploy` with
    /// [`TypedArguments::line`]; `bundled` is the name of its source.
    ///
    /// A skill that cannot be started, or whose types a value does not fit, gives a notice and no message.
    ///
    /// # Cost
    ///
    /// The cost of [`Session::run`].
    ///
    /// ```
    /// # macro_rules! include_skills {
    /// #     (mod skill in "skills") => { skills_runtime::include_skills! { mod skill in "tests/typed" } };
    /// # }
    /// use skill::deploy::{Arguments, Environment};
    /// use skills_runtime::Catalog;
    /// use skills_session::Session;
    /// use skills_session::options::Options;
    ///
    /// include_skills! { mod skill in "skills" }
    ///
    /// let catalog = Catalog::builder().bundle("bundled", skill::bundle()).load();
    /// let mut session = Session::new(Options::DEFAULT);
    /// let arguments = Arguments { environment: Environment::Staging, count: 3, dry_run: true };
    /// let turn = session.run_typed(&catalog, &arguments);
    /// assert_eq!(turn.started, ["deploy"]);
    /// assert!(turn.messages[0].text().contains("Deploy to staging"));
    /// ```
    pub fn run_typed<A: TypedArguments>(
        &mut self,
        catalog: &Catalog,
        arguments: &A,
    ) -> TurnOutcome {
        let line = arguments.line();
        let found = catalog.find(A::SKILL, Surface::User);
        // Without types, the first words would be taken for the listed arguments, with their names.
        if let Ok(skill) = found
            && !line.is_empty()
            && !skill.fields().arguments.is_empty()
            && matches!(skill.typed_arguments(), Ok(None))
        {
            let (skill, source) = (A::SKILL.to_owned(), skill.source());
            let why = format!(
                "the skill '{skill}' of '{source}' has no {ARGUMENTS_FILE}, and takes no values of the program"
            );
            return self.not_started(catalog, Notice::Unavailable { skill, why });
        }
        self.run(catalog, A::SKILL, &line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fixture::Sources;
    use crate::options::Options;
    use std::fs;

    struct Deploy(&'static str);

    impl TypedArguments for Deploy {
        const SKILL: &'static str = "deploy";

        fn line(&self) -> String {
            format!("--environment={}", self.0)
        }
    }

    #[test]
    fn the_skill_that_answers_to_the_name_starts() {
        let fixture = Sources::new()
            .source("user", &[("deploy", "", "Mine: $environment.")])
            .source("shared", &[("deploy", "", "Theirs.")])
            .load();
        let schema = r#"{"type": "object", "properties": {"environment": {"enum": ["staging"]}}}"#;
        let path = fixture.dir.path().join("user/deploy/arguments.schema.json");
        fs::write(path, schema).unwrap();
        let mut session = Session::new(Options::DEFAULT);
        let turn = session.run_typed(&fixture.catalog, &Deploy("staging"));
        assert!(turn.messages[0].text().contains("Mine: staging."));
        let turn = session.run_typed(&fixture.catalog, &Deploy("nowhere"));
        assert!(turn.started.is_empty() && turn.messages.is_empty());
        let told = turn.notices[0].to_string();
        assert!(told.contains("does not take 'nowhere'"), "{told}");
        let turn = session.run(&fixture.catalog, "shared:deploy", &Deploy("nowhere").line());
        assert_eq!(turn.started, ["shared:deploy"]);
    }

    #[test]
    fn a_skill_without_types_takes_no_values() {
        let more = "arguments: [environment]\n";
        let fixture = Sources::new()
            .source("user", &[("deploy", more, "Mine: $environment.")])
            .load();
        let mut session = Session::new(Options::DEFAULT);
        let turn = session.run_typed(&fixture.catalog, &Deploy("staging"));
        assert!(turn.started.is_empty() && turn.messages.is_empty());
        assert_eq!(
            turn.notices[0].to_string(),
            "Not started: the skill 'deploy' of 'user' has no arguments.schema.json, and takes no values of the program."
        );
        let turn = session.run(&fixture.catalog, "deploy", "staging");
        assert!(turn.messages[0].text().contains("Mine: staging."));
    }
}
