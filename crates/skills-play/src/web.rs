//! The functions that the page calls.

use crate::files::Playground;
use wasm_bindgen::prelude::wasm_bindgen;

/// A [`Playground`] of a page.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Page(Playground);

#[wasm_bindgen]
impl Page {
    /// Opens the text of a `SKILL.md`.
    #[wasm_bindgen(js_name = ofText)]
    pub fn of_text(text: &str) -> Self {
        Self(Playground::of_text(text))
    }

    /// Opens a folder of a name.
    #[wasm_bindgen(js_name = ofFolder)]
    pub fn of_folder(name: &str) -> Self {
        Self(Playground::of_folder(name))
    }

    /// Adds or replaces a file.
    pub fn put(&mut self, path: &str, bytes: &[u8]) {
        self.0.put(path, Some(bytes.to_vec()), 0);
    }

    /// Adds a file that was not read, of a length.
    #[wasm_bindgen(js_name = putUnread)]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the length of a file is a whole number"
    )]
    pub fn put_unread(&mut self, path: &str, size: f64) {
        self.0.put(path, None, size as u64);
    }

    /// See [`Playground::check`].
    pub fn check(&mut self) -> String {
        self.0.check()
    }

    /// See [`Playground::fix`].
    pub fn fix(&mut self, index: usize) -> String {
        self.0.fix(index)
    }

    /// See [`Playground::fix_all`].
    #[wasm_bindgen(js_name = fixAll)]
    pub fn fix_all(&mut self, guesses: bool) -> String {
        self.0.fix_all(guesses)
    }

    /// See [`Playground::client_names`].
    #[wasm_bindgen(js_name = clientNames)]
    pub fn client_names() -> String {
        Playground::client_names()
    }

    /// See [`Playground::client`].
    pub fn client(&self, name: &str, dir: &str, arguments: &str) -> String {
        self.0.client(name, dir, arguments)
    }

    /// See [`Playground::meaning`].
    pub fn meaning(&self, profile: &str, text: &str) -> String {
        self.0.meaning(profile, text)
    }

    /// See [`Playground::powers`].
    pub fn powers(&self, dir: &str) -> String {
        self.0.powers(dir)
    }

    /// See [`Playground::profiles`].
    pub fn profiles() -> String {
        Playground::profiles()
    }
}
