//! One sentence: framing, checksum, fields, TAG blocks, decode and encode; one table of formatters.
