//! The tests of what the package offers, in one program: linking a program takes a second or more.

mod corpus;
mod fixes;
mod hostile;
mod rules;
