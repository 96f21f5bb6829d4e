//! Diagnosis: counters, rates, jitter, load; rules that turn them into findings.
