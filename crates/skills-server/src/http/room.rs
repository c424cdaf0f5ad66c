//! The limit of concurrent connections.
//!
//! A connection without a whole request costs a client nothing, and would keep its place until its patience ends.
//! So a full room evicts the connection that has waited longest for its next request. A connection whose request
//! is being answered stays.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// A room for a maximum number of connections. Clones are the same room.
#[derive(Clone)]
pub(super) struct Room(Arc<Shared>);

struct Shared {
    most: usize,
    guests: Mutex<Guests>,
    /// Notified when a connection has ended, or waits for a request again.
    news: Notify,
}

#[derive(Default)]
struct Guests {
    /// The number of connections, with evicted connections that have not ended.
    count: usize,
    /// The number of evicted connections that have not ended.
    leaving: usize,
    /// The next key of [`Guests::waiting`].
    next: u64,
    /// The connections that wait for a whole request, the longest waiting first.
    waiting: BTreeMap<u64, Arc<Leave>>,
}

/// The signal that evicts a connection.
#[derive(Default)]
struct Leave {
    told: AtomicBool,
    notify: Notify,
}

/// The place of one connection. Dropping it frees the place.
pub(super) struct Place {
    room: Room,
    /// The key in [`Guests::waiting`], while the connection waits for a request.
    number: Mutex<Option<u64>>,
    leave: Arc<Leave>,
}

/// A request that is being answered. Its connection is not evicted until this is dropped.
pub(super) struct Busy(Arc<Place>);

impl Room {
    pub(super) fn new(most: usize) -> Self {
        Self(Arc::new(Shared {
            most,
            guests: Mutex::default(),
            news: Notify::new(),
        }))
    }

    /// Waits until a place is free. Evicts a connection that waits for its request, if there is one.
    pub(super) async fn enter(&self) -> Arc<Place> {
        loop {
            let news = self.0.news.notified();
            if let Some(place) = self.try_enter() {
                return Arc::new(place);
            }
            news.await;
        }
    }

    /// Takes a free place, or evicts a waiting connection.
    fn try_enter(&self) -> Option<Place> {
        let mut guests = self.guests();
        if guests.count >= self.0.most {
            // An evicted connection frees its place when it ends. Until then no other is evicted for the same place.
            let places = self.0.most + guests.leaving;
            let goes = (guests.count >= places).then(|| guests.waiting.pop_first());
            if let Some((_, leave)) = goes.flatten() {
                guests.leaving += 1;
                leave.told.store(true, Ordering::Relaxed);
                leave.notify.notify_one();
            }
            return None;
        }
        guests.count += 1;
        let leave = Arc::<Leave>::default();
        let number = guests.wait(Arc::clone(&leave));
        Some(Place {
            room: self.clone(),
            number: Mutex::new(Some(number)),
            leave,
        })
    }

    fn guests(&self) -> MutexGuard<'_, Guests> {
        locked(&self.0.guests)
    }
}

impl Guests {
    fn wait(&mut self, leave: Arc<Leave>) -> u64 {
        let number = self.next;
        self.next += 1;
        self.waiting.insert(number, leave);
        number
    }
}

impl Place {
    /// Waits until the connection is evicted.
    pub(super) async fn leave(&self) {
        self.leave.notify.notified().await;
    }

    /// Marks the request as complete: the connection stays until the request is answered.
    pub(super) fn busy(self: &Arc<Self>) -> Busy {
        let number = locked(&self.number).take();
        if let Some(number) = number {
            self.room.guests().waiting.remove(&number);
        }
        Busy(Arc::clone(self))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        let place = &self.0;
        let number = place.room.guests().wait(Arc::clone(&place.leave));
        *locked(&place.number) = Some(number);
        place.room.0.news.notify_one();
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let number = locked(&self.number).take();
        let mut guests = self.room.guests();
        guests.count -= 1;
        if self.leave.told.load(Ordering::Relaxed) {
            guests.leaving -= 1;
        }
        if let Some(number) = number {
            guests.waiting.remove(&number);
        }
        drop(guests);
        self.room.0.news.notify_one();
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_waits_longest_goes_and_who_is_answered_stays() {
        let room = Room::new(2);
        let (first, second) = (room.enter().await, room.enter().await);
        let answered = first.busy();
        // The second is evicted, and the third waits until the second has ended.
        assert!(room.try_enter().is_none());
        second.leave().await;
        assert!(room.try_enter().is_none());
        assert_eq!(room.guests().leaving, 1, "one goes for one");
        drop(second);
        let third = room.enter().await;
        let also = third.busy();
        assert!(room.try_enter().is_none(), "both are answered");
        // The first waits again, and would be evicted next.
        drop(answered);
        assert!(room.try_enter().is_none());
        first.leave().await;
        drop((also, third, first));
        let guests = room.guests();
        assert_eq!((guests.count, guests.leaving), (0, 0));
        assert!(guests.waiting.is_empty());
    }
}
