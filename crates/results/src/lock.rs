//! One writer a folder.

use crate::error::{Error, Result};
use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

/// The file of the lock; where it is, a folder is ours.
pub(crate) const NAME: &str = ".tailback.lock";

/// The right to write to a folder, until this is dropped or the process ends in whatever way: the system's own lock on a
/// file that stays there.
#[derive(Debug)]
pub(crate) struct Lock {
    _file: File,
}

impl Lock {
    /// Takes the folder at once or not at all.
    ///
    /// # Errors
    /// [`Error::InUse`] when another writer has it; [`Error::Io`] when the file of the lock cannot be made. A file system
    /// without locks is taken as it is.
    pub(crate) fn take(root: &Path) -> Result<Self> {
        let path = root.join(NAME);
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(false).open(&path).map_err(Error::io("open", &path))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => Err(Error::InUse { path: root.to_path_buf() }),
            Ok(()) | Err(TryLockError::Error(_)) => Ok(Lock { _file: file }),
        }
    }
}
