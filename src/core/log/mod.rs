//! Logs: line classes, dialects, timing, the sparse index, the format that is written (LOG-FORMAT).
