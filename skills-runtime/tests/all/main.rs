//! The tests of the package's public items, in one program, because linking a program takes a second or
//! more.

#[cfg(unix)]
mod agent_plugins;
#[cfg(unix)]
mod faults;
#[cfg(all(debug_assertions, feature = "hot", feature = "macros"))]
mod hot;
mod layers;
mod mentions;
mod near;
#[cfg(unix)]
mod reading;
#[cfg(unix)]
mod reload;
mod support;
mod tools;
mod trust;
