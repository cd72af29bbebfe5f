//! Tests of the executor against the reference evaluator.
