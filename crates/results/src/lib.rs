//! What came out: schema, statistics, store; knows no engine.
