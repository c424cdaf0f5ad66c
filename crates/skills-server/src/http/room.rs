//! The connections that a server keeps at one time.
//!
//! A connection without a whole request costs a client nothing, and would keep its place until its patience ends.
//! So such connections do not wait for each other: when the room is full, the one that has waited longest for its
//! next request goes. A connection whose request is being answered stays.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// A room for a number of connections. Clones are the same room.
#[derive(Clone)]
pub(super) struct Room(Arc<Shared>);

struct Shared {
    most: usize,
    guests: Mutex<Guests>,
    /// A connection has ended, or waits for a request again.
    news: Notify,
}

#[derive(Default)]
struct Guests {
    /// All connections, also those that were told to go.
    count: usize,
    /// The connections that were told to go and have not gone. No other is told for the same place.
    leaving: usize,
    /// The next number of [`Guests::waiting`].
    next: u64,
    /// The connections that wait for a whole request, those that wait longest first.
    waiting: BTreeMap<u64, Arc<Leave>>,
}

/// Tells a connection to go.
#[derive(Default)]
struct Leave {
    told: AtomicBool,
    notify: Notify,
}

/// The place of one connection. The connection has ended when it is dropped.
pub(super) struct Place {
    room: Room,
    /// Its number while it waits for a request.
    number: Mutex<Option<u64>>,
    leave: Arc<Leave>,
}

/// A request that is being answered. Its connection keeps its place until this is dropped.
pub(super) struct Busy(Arc<Place>);

impl Room {
    pub(super) fn new(most: usize) -> Self {
        Self(Arc::new(Shared {
            most,
            guests: Mutex::default(),
            news: Notify::new(),
        }))
    }

    /// Waits until there is room. Room is made at once while a connection waits for its request.
    pub(super) async fn enter(&self) -> Arc<Place> {
        loop {
            let news = self.0.news.notified();
            if let Some(place) = self.try_enter() {
                return Arc::new(place);
            }
            news.await;
        }
    }

    /// Takes a free place, or tells a connection to go that waits.
    fn try_enter(&self) -> Option<Place> {
        let mut guests = self.guests();
        if guests.count >= self.0.most {
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
    /// Waits until the connection must go.
    pub(super) async fn leave(&self) {
        self.leave.notify.notified().await;
    }

    /// The whole request is there: the connection stays until it is answered.
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
        // The second is told to go, and the third waits until it has gone.
        assert!(room.try_enter().is_none());
        second.leave().await;
        assert!(room.try_enter().is_none());
        assert_eq!(room.guests().leaving, 1, "one goes for one");
        drop(second);
        let third = room.enter().await;
        let also = third.busy();
        assert!(room.try_enter().is_none(), "both are answered");
        // The first waits again, and would be the next to go.
        drop(answered);
        assert!(room.try_enter().is_none());
        first.leave().await;
        drop((also, third, first));
        let guests = room.guests();
        assert_eq!((guests.count, guests.leaving), (0, 0));
        assert!(guests.waiting.is_empty());
    }
}
