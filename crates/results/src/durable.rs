//! What was written reaches the disk soon, and the writer does not wait for it.
//!
//! A killed process loses nothing that it wrote, for the system has it. A power cut takes what has not reached the disk. To
//! wait there for every file of every point costs tens of milliseconds each, so a thread of its own does it for all that
//! was written since it last did.

use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;

/// How long writes are gathered before they are made durable together.
const GATHER: Duration = Duration::from_millis(50);

/// Makes the file system of a folder durable a moment after it was told that something was written.
#[derive(Debug)]
pub(crate) struct Durable {
    written: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
    failed: Arc<Mutex<Option<io::Error>>>,
}

impl Durable {
    /// For the file system of the folder `root`.
    ///
    /// # Errors
    /// Where the folder cannot be opened or there is no thread to be had.
    pub(crate) fn new(root: &Path) -> io::Result<Durable> {
        let disk = Disk::of(root)?;
        let (written, told) = channel();
        let failed = Arc::default();
        let error = Arc::clone(&failed);
        let thread = std::thread::Builder::new().name("durable".into()).spawn(move || follow(&disk, &told, &error))?;
        Ok(Durable { written: Some(written), thread: Some(thread), failed })
    }

    /// Something was written.
    ///
    /// # Errors
    /// Why what was written before did not reach the disk.
    pub(crate) fn written(&self) -> io::Result<()> {
        if let Some(written) = &self.written {
            // Nobody listens only after a failure, which is told below.
            let _ = written.send(());
        }
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }

    /// Waits until all that was written is on the disk.
    ///
    /// # Errors
    /// The errors of [`Durable::written`].
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.written = None;
        if let Some(thread) = self.thread.take() {
            thread.join().map_err(|_| io::Error::other("the thread that writes to the disk panicked"))?;
        }
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).take().map_or(Ok(()), Err)
    }
}

impl Drop for Durable {
    fn drop(&mut self) {
        // Who wants to know calls `finish`.
        let _ = self.finish();
    }
}

/// Syncs after every note, once for all that come together, until nobody can write any more.
fn follow(disk: &Disk, told: &Receiver<()>, failed: &Mutex<Option<io::Error>>) {
    while told.recv().is_ok() {
        std::thread::sleep(GATHER);
        while told.try_recv().is_ok() {}
        if let Err(error) = disk.sync() {
            failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }
}

/// The file system of a folder.
struct Disk {
    #[cfg_attr(not(target_os = "linux"), allow(dead_code))]
    folder: Option<File>,
}

impl Disk {
    fn of(root: &Path) -> io::Result<Disk> {
        // Only on Unix can a folder be opened as a file.
        let folder = if cfg!(unix) { Some(File::open(root)?) } else { None };
        Ok(Disk { folder })
    }

    #[cfg(target_os = "linux")]
    fn sync(&self) -> io::Result<()> {
        self.folder.as_ref().map_or(Ok(()), |folder| Ok(rustix::fs::syncfs(folder)?))
    }

    #[cfg(all(unix, not(target_os = "linux")))]
    fn sync(&self) -> io::Result<()> {
        rustix::fs::sync();
        Ok(())
    }

    /// Here the system decides when.
    #[cfg(not(unix))]
    fn sync(&self) -> io::Result<()> {
        Ok(())
    }
}
