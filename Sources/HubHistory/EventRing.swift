package import HubVocabulary

/// The newest events of a hub; older ones are gone, and who reads on hears how many.
package struct EventRing: Sendable {
    /// Events behind a number.
    package struct Page: Sendable {
        /// Ascending.
        package var events: [HubEvent]
        /// Events behind the number that are gone.
        package var lost: UInt64
        /// The number with which the reader goes on.
        package var last: UInt64

        /// Makes one of its parts.
        package init(events: [HubEvent], lost: UInt64, last: UInt64) {
            (self.events, self.lost, self.last) = (events, lost, last)
        }
    }

    private var events: [HubEvent] = []
    private let capacity: Int
    /// The number of the newest event; 0 before the first one.
    package private(set) var last: UInt64 = 0

    /// A ring without events.
    package init(capacity: Int = HistoryLimits.events) {
        precondition(capacity > 0, "a ring has room")
        self.capacity = capacity
    }

    /// Adds an event, in place of the oldest one when there is no room.
    package mutating func append(_ kind: HubEvent.Kind, at time: Timestamp) {
        last += 1
        let event = HubEvent(number: last, time: time, kind: kind)
        if events.count < capacity {
            events.append(event)
        } else {
            events[place(of: last)] = event
        }
    }

    /// Returns the events behind a number, the oldest first; a number of another run is one of the
    /// future, and begins anew.
    ///
    /// Of those that are gone it cannot say when they were: none counts as lost where an older one
    /// than those asked for is kept.
    package func page(
        after number: UInt64,
        limit: Int = HistoryLimits.eventsPerPage,
        matching filter: EventFilter = EventFilter()
    ) -> Page {
        let first = last - UInt64(events.count) + 1
        let start = number > last ? first : max(number + 1, first)
        var page = Page(
            events: [],
            lost: number > last ? 0 : start - min(start, number + 1),
            last: max(start, 1) - 1
        )
        if let since = filter.span.since, start <= last, events[place(of: start)].time < since {
            page.lost = 0
        }
        while page.last < last, page.events.count < limit {
            page.last += 1
            let event = events[place(of: page.last)]
            if filter.admits(event) { page.events.append(event) }
        }
        return page
    }

    private func place(of number: UInt64) -> Int { Int((number - 1) % UInt64(capacity)) }
}
