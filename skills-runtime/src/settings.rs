//! What a host chooses for the whole catalog.

use skills_render::Budget;

/// The choices of a host: [`CatalogBuilder::settings`](crate::CatalogBuilder::settings).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The names of the host's own commands, without `/`: no skill has them.
    pub reserved: Vec<String>,
    /// The maximum number of skills that one text can start: 8.
    pub limit: usize,
    /// The maximum cost of the list for the model: 8,000 characters.
    pub budget: Budget,
    /// The name of the model's one tool: `skill`.
    pub tool: String,
    /// True: a mention of an unknown skill gives no notice.
    pub quiet: bool,
    /// True: each id gives a notice wherever it stands, also in a model's text. False: prose can hold `$variables`, so an
    /// unknown id and a vaguely near one give a notice only if they lead, and an unknown id of a model never does.
    pub everywhere: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            reserved: Vec::new(),
            limit: 8,
            budget: Budget::Characters(8_000),
            tool: "skill".to_owned(),
            quiet: false,
            everywhere: false,
        }
    }
}
