//! Integration tests, all in one binary so that linking stays cheap. One module per subject.
mod corpus;
