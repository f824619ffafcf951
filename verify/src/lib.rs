//! Scenarios, reference models and the tests that hold the engine to them.
