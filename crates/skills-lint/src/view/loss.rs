//! A client that loses a skill.

use crate::client::{Behaviour, Client, Condition, DropReason, Fact};

/// The reason of a client that takes the description from elsewhere.
pub(crate) const MISREAD: DropReason = DropReason {
    what: "the description is not read as it is written",
    key: "description",
    works: "write the description in quotes on one line",
};

/// A client that drops the skill, or takes its description from elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Lost<'a> {
    pub(crate) client: &'a Client,
    /// What the client does.
    pub(crate) fact: &'a Fact,
    /// The reason.
    pub(crate) drop: DropReason,
    /// The parts that are the reason. If one of them stays, and the others are replaced, the skill is still lost.
    pub(crate) causes: Vec<Part>,
}

/// A part of a file that some readers take otherwise, and that can be written in another way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// A form of the file, by its number in the document.
    Form(usize),
    /// A plain scalar.
    Field(&'static str),
}

impl<'a> Lost<'a> {
    /// Returns whether no part that can be written in another way is the reason.
    pub(crate) fn is_unexplained(&self) -> bool {
        self.causes.is_empty()
    }

    /// Returns what the client does. A fact about the condition says it better than the general fact.
    pub(crate) fn behaviour(&self, condition: Condition) -> Behaviour<'a> {
        let mut facts = self.client.facts.iter();
        Behaviour {
            client: self.client,
            fact: facts.find(|fact| fact.on == condition).unwrap_or(self.fact),
        }
    }
}
