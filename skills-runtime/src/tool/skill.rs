//! The tool that starts a skill.

use crate::activation::exchange::{ToolArguments, ToolIds, ToolShape};
use crate::activation::options::ActivationOptions;
use crate::activation::{Activation, Starter};
use crate::catalog::Catalog;
use crate::catalog::ids::for_model;
use crate::profile::{CatalogPlace, Profile};
use crate::prompt::options::PromptOptions;
use crate::tool::call::{CallArguments, find};
use crate::tool::error::ToolError;
use crate::tool::spec::ToolSpec;
use serde_json::{Value, json};

/// The most ids that a schema lists.
const MOST_IDS: usize = 200;

/// The tool that starts a skill, for one catalog.
#[derive(Clone, Debug)]
pub struct SkillTool {
    catalog: Catalog,
    shape: ToolShape,
    options: ActivationOptions,
    /// The options of the catalog text, when the description holds it.
    prompt: Option<PromptOptions>,
}

impl SkillTool {
    /// Makes the skill tool of a profile. `None`: the profile has no such tool.
    pub fn new(catalog: &Catalog, profile: &Profile) -> Option<Self> {
        let in_description = profile.catalog.place == CatalogPlace::ToolDescription;
        Some(Self {
            catalog: catalog.clone(),
            shape: profile.tool.clone()?,
            options: profile.activation(),
            prompt: in_description.then(|| profile.prompt()),
        })
    }

    /// The name that the model calls.
    pub fn name(&self) -> &str {
        &self.shape.name
    }

    /// The options of activations: variables, places, names of tools. The places also apply to a catalog
    /// text in the description.
    pub fn options_mut(&mut self) -> &mut ActivationOptions {
        &mut self.options
    }

    /// Makes the definition. The profile decides whether the schema lists the ids, up to 200 of them, and
    /// whether the description holds the catalog text.
    pub fn spec(&self) -> ToolSpec {
        let mut description = String::from(
            "Starts a skill and returns its instructions for you to follow. Call this tool first when \
             a task matches a skill's description.",
        );
        if let Some(prompt) = &self.prompt {
            let prompt = PromptOptions {
                places: self.options.places.clone(),
                ..prompt.clone()
            };
            let skills = self.catalog.prompt(&prompt).text;
            if !skills.is_empty() {
                description.push_str(" The skills:\n\n");
                description.push_str(&skills);
            }
        }
        let mut properties = Vec::new();
        if self.shape.arguments == ToolArguments::Optional {
            let arguments = json!({
                "description": "The skill's task, in plain words.",
                "type": "string",
            });
            properties.push(("arguments".to_owned(), arguments));
        }
        properties.push((self.shape.parameter.to_string(), self.id_schema()));
        properties.sort_by(|(a, _), (b, _)| a.cmp(b));
        ToolSpec::new(
            &self.shape.name,
            description,
            properties,
            &[&*self.shape.parameter],
        )
    }

    fn id_schema(&self) -> Value {
        let ids: Vec<_> = match self.shape.ids {
            ToolIds::Open => Vec::new(),
            ToolIds::Listed => for_model(&self.catalog, self.options.plugins)
                .take(MOST_IDS + 1)
                .map(|skill| skill.id)
                .collect(),
        };
        if ids.is_empty() || ids.len() > MOST_IDS {
            json!({ "description": "The skill's name.", "type": "string" })
        } else {
            json!({ "description": "The skill's name.", "enum": ids, "type": "string" })
        }
    }

    /// Starts the skill that a call names. The arguments are JSON as the model wrote it.
    ///
    /// # Errors
    ///
    /// The kinds [`Arguments`](crate::tool::ToolErrorKind::Arguments),
    /// [`Skill`](crate::tool::ToolErrorKind::Skill) and [`Files`](crate::tool::ToolErrorKind::Files).
    ///
    /// # Cost
    ///
    /// Reads the files of a skill that lies in a folder. A bundled skill costs a copy of its body.
    pub fn activate(&self, json: &str) -> Result<Activation, ToolError> {
        let shape = &self.shape;
        let names = match shape.arguments {
            ToolArguments::Optional => &[&*shape.parameter, "arguments"][..],
            ToolArguments::None => &[&*shape.parameter],
        };
        let mut call = CallArguments::read(&shape.name, names, json)?;
        let id = call.text(&shape.parameter)?;
        let arguments = match shape.arguments {
            ToolArguments::Optional => call.optional_text("arguments")?,
            ToolArguments::None => None,
        };
        let entry = find(&self.catalog, id.trim(), self.options.plugins)?;
        let mut activation = entry
            .activate(arguments.as_deref().unwrap_or_default(), &self.options)
            .map_err(|error| ToolError::of_error(&error, &entry))?;
        activation.started_by = Starter::Model;
        Ok(activation)
    }

    /// Answers a call with the activation's text.
    ///
    /// # Errors
    ///
    /// As [`SkillTool::activate`].
    pub fn call(&self, json: &str) -> Result<String, ToolError> {
        self.activate(json).map(|activation| activation.text)
    }
}
