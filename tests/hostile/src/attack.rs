//! What an attack is.

use std::error::Error;

/// An error says which promise was broken, and how.
pub type Outcome<T = ()> = Result<T, Box<dyn Error + Send + Sync>>;

/// One attack.
#[derive(Clone, Copy, Debug)]
pub struct Attack {
    path: &'static str,
    /// Attacks, in a temporary folder of its own.
    pub run: fn() -> Outcome,
}

impl Attack {
    pub(crate) const fn new(path: &'static str, run: fn() -> Outcome) -> Self {
        Self { path, run }
    }

    /// `THEME::FUNCTION`.
    pub fn name(&self) -> &'static str {
        self.path
            .split_once("::")
            .map_or(self.path, |(_, name)| name)
    }
}

/// Lists the attacks of a file as `ATTACKS`.
macro_rules! attacks {
    ($($attack:ident),* $(,)?) => {
        pub(crate) const ATTACKS: &[crate::attack::Attack] = &[$(
            crate::attack::Attack::new(
                concat!(module_path!(), "::", stringify!($attack)),
                $attack,
            )
        ),*];
    };
}

/// Returns an error with a message when a condition does not hold.
macro_rules! ensure {
    ($condition:expr, $($message:tt)+) => {
        if !$condition {
            return Err(format!($($message)+).into());
        }
    };
}

/// Prints why an attack cannot be made on this system; the attack passes then.
#[expect(clippy::unnecessary_wraps, reason = "the attack ends with it")]
pub(crate) fn skipped(reason: &str) -> Outcome {
    #[expect(clippy::print_stderr, reason = "a skipped test prints its reason")]
    {
        eprintln!("skipped: {reason}");
    }
    Ok(())
}
