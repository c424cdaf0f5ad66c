//! The tests of what the package offers, in one program: linking a program takes a second or more.

#[cfg(unix)]
mod faults;
mod layers;
mod mentions;
mod near;
#[cfg(unix)]
mod reading;
#[cfg(unix)]
mod reload;
mod support;
mod trust;
#[cfg(all(unix, feature = "watch"))]
mod watch;
