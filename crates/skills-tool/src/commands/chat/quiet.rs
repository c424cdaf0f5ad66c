//! A terminal without echo while an agent answers. Keys typed meanwhile belong to the next message.

/// A guard that turns off the terminal's echo until it is dropped. Typed keys wait unchanged; Ctrl-C still
/// sends a signal.
pub(crate) struct Quiet {
    #[cfg(unix)]
    before: Option<rustix::termios::Termios>,
}

#[cfg(unix)]
impl Quiet {
    pub(crate) fn begin() -> Self {
        use rustix::termios::{InputModes, LocalModes, OptionalActions, tcgetattr, tcsetattr};
        // Without a terminal there is nothing to change.
        let before = tcgetattr(std::io::stdin()).ok();
        if let Some(before) = &before {
            let mut quiet = before.clone();
            quiet.local_modes -= LocalModes::ECHO | LocalModes::ICANON;
            // Enter stays a carriage return: the line editor reads a line feed as Ctrl-J, a new line.
            quiet.input_modes -= InputModes::ICRNL;
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, &quiet);
        }
        Self { before }
    }
}

#[cfg(unix)]
impl Drop for Quiet {
    fn drop(&mut self) {
        use rustix::termios::{OptionalActions, tcsetattr};
        if let Some(before) = &self.before {
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, before);
        }
    }
}

#[cfg(not(unix))]
impl Quiet {
    pub(crate) fn begin() -> Self {
        Self {}
    }
}
