//! The author's own fields. The build script and the program share this file.

#[derive(Debug, serde::Deserialize)]
pub(crate) struct Extra {
    pub(crate) activation: Activation,
}

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Activation {
    /// The skill starts when a line has one of these words.
    pub(crate) keywords: Vec<String>,
    #[serde(default)]
    pub(crate) max_tokens: Option<u32>,
}
