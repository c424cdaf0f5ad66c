//! The tests of the package's public items, in one program: linking a program takes a second or more.

mod builds;
mod corpus;
mod fixes;
mod hostile;
mod rules;
