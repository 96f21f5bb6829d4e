//! The source that says nothing: what the driver plays while live feeds push.

use crate::core::frame::Frame;
use crate::core::time::{Offset, Utc};
use crate::core::transport::{Can, Change, Source, SourceError, To};
use crate::core::vessel::Vessel;

/// Says nothing.
#[derive(Debug, Default)]
pub struct Idle {
    vessel: Vessel,
}

impl Source for Idle {
    fn can(&self) -> Can {
        Can { seek: true, ..Can::default() }
    }

    fn next_due(&mut self) -> Result<Option<Offset>, SourceError> {
        Ok(None)
    }

    fn poll(&mut self, _: Offset, _: usize, _: &mut Vec<Frame>) -> Result<(), SourceError> {
        Ok(())
    }

    fn seek(&mut self, _: To) -> Result<Offset, SourceError> {
        Ok(0)
    }

    fn duration(&self) -> Option<Offset> {
        None
    }

    fn vessel(&self) -> &Vessel {
        &self.vessel
    }

    fn utc(&self, _: Offset) -> Option<Utc> {
        None
    }

    fn set(&mut self, _: &Change) -> Result<(), SourceError> {
        Err(SourceError::Cannot("only a simulation can be set".into()))
    }
}
