//! The CPU back end. (being built)
