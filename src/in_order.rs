//! Work on many things at once, and the results in the order of the things.

use std::collections::VecDeque;
use std::sync::Mutex;
use std::sync::mpsc;

/// Jobs that may wait or be done for each worker before the first of them is taken: so much memory is held at most.
const AHEAD: usize = 4;

/// Bytes of a worker's stack, as Rust has it unless the environment says something else.
const STACK: usize = 2 * 1024 * 1024;

/// As many workers as this machine runs at once.
pub fn workers() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from).min(16)
}

/// Does `work` on every job on `workers` threads, and gives each result to `take`, in the order of the jobs.
///
/// Jobs are drawn from the iterator only as results are taken, so that neither jobs nor results pile up.
///
/// Errors: the first that `take` gives; then no further job is begun.
pub fn in_order<J: Send, R: Send, E>(
    jobs: impl Iterator<Item = J>,
    workers: usize,
    work: impl Fn(J) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    if workers <= 1 {
        return jobs.map(work).try_for_each(take);
    }
    let (sender, receiver) = mpsc::channel::<(J, mpsc::SyncSender<R>)>();
    let receiver = Mutex::new(Some(receiver));
    let next = || receiver.lock().ok()?.as_ref()?.recv().ok();
    let serve = || {
        while let Some((job, result)) = next() {
            // Nobody waits for it any more after an error.
            let _ = result.send(work(job));
        }
    };
    std::thread::scope(|scope| {
        let (mut started, mut wanted) = (0, workers);
        let mut results = VecDeque::new();
        let mut give = |results: &mut VecDeque<mpsc::Receiver<R>>| match results.pop_front().map(|result| result.recv()) {
            Some(Ok(result)) => take(result),
            // A worker that panicked gives nothing; the scope passes its panic on.
            Some(Err(_)) | None => Ok(()),
        };
        let mut done = Ok(());
        for job in jobs {
            if started < wanted {
                match std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, serve) {
                    Ok(_) => started += 1,
                    // The system gives no more of them; those that run do it all.
                    Err(_) => wanted = started,
                }
            }
            let (result, later) = mpsc::sync_channel(1);
            if started == 0 {
                // There is room for one result.
                let _ = result.send(work(job));
            } else if sender.send((job, result)).is_err() {
                break;
            }
            results.push_back(later);
            if results.len() >= workers * AHEAD {
                done = give(&mut results);
            }
            if done.is_err() {
                break;
            }
        }
        while done.is_ok() && !results.is_empty() {
            done = give(&mut results);
        }
        drop(sender);
        if done.is_err() {
            // What still waits is not begun.
            drop(receiver.lock().map(|mut receiver| receiver.take()));
        }
        done
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_jobs() {
        for workers in [1, 2, 7] {
            let mut seen = Vec::new();
            let work = |n: u64| {
                std::thread::sleep(Duration::from_micros(n * 7919 % 1000));
                n
            };
            let done: Result<(), ()> = in_order(0..200, workers, work, |n| {
                seen.push(n);
                Ok(())
            });
            assert_eq!((done, seen), (Ok(()), (0..200).collect::<Vec<_>>()));
        }
    }

    #[test]
    fn jobs_are_drawn_only_as_results_are_taken() {
        let drawn = AtomicUsize::new(0);
        let jobs = (0..1000).inspect(|_| _ = drawn.fetch_add(1, Ordering::Relaxed));
        let mut taken = 0;
        let done = in_order(
            jobs,
            2,
            |n: usize| n,
            |_| {
                assert!(drawn.load(Ordering::Relaxed) <= taken + 2 * AHEAD);
                taken += 1;
                if taken == 100 { Err("enough") } else { Ok(()) }
            },
        );
        assert_eq!(done, Err("enough"));
        assert!(drawn.load(Ordering::Relaxed) <= 100 + 2 * AHEAD);
    }
}
