//! Profiles: the schema, its validation, its documentation.
