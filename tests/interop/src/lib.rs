//! Tests only: what the project writes, read with the types of others.
