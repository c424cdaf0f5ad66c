//! A test only.
