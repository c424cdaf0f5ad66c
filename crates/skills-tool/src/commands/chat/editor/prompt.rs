//! The prompts before the line.

use reedline::{Prompt, PromptEditMode, PromptHistorySearch, PromptHistorySearchStatus};
use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The text before the first line.
pub(crate) const INDICATOR: &str = "> ";

/// The prompt of the conversation.
#[derive(Clone, Default)]
pub(crate) struct ChatPrompt {
    /// True during a search in the history. The keys set this flag. Each prompt drawn without a search resets
    /// the flag: the line editor drops keys that follow Ctrl-C at once, also Ctrl-R, and then no search
    /// begins.
    pub(crate) is_searching: Arc<AtomicBool>,
}

impl Prompt for ChatPrompt {
    fn render_prompt_left(&self) -> Cow<'_, str> {
        "".into()
    }

    fn render_prompt_right(&self) -> Cow<'_, str> {
        "".into()
    }

    fn render_prompt_indicator(&self, _mode: PromptEditMode) -> Cow<'_, str> {
        self.is_searching.store(false, Ordering::Relaxed);
        INDICATOR.into()
    }

    fn render_prompt_multiline_indicator(&self) -> Cow<'_, str> {
        "  ".into()
    }

    fn render_prompt_history_search_indicator(&self, search: PromptHistorySearch) -> Cow<'_, str> {
        let found = match search.status {
            PromptHistorySearchStatus::Passing => "search",
            PromptHistorySearchStatus::Failing => "not found",
        };
        format!("({found}: {}) ", search.term).into()
    }
}

/// The prompt of a question.
pub(crate) struct Question {
    pub(crate) text: String,
}

impl Prompt for Question {
    fn render_prompt_left(&self) -> Cow<'_, str> {
        "".into()
    }

    fn render_prompt_right(&self) -> Cow<'_, str> {
        "".into()
    }

    fn render_prompt_indicator(&self, _mode: PromptEditMode) -> Cow<'_, str> {
        self.text.as_str().into()
    }

    fn render_prompt_multiline_indicator(&self) -> Cow<'_, str> {
        "  ".into()
    }

    fn render_prompt_history_search_indicator(&self, _search: PromptHistorySearch) -> Cow<'_, str> {
        self.text.as_str().into()
    }
}
