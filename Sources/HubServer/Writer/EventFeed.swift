import HubHistory
import HubVocabulary
import Synchronization

/// The events of a hub, and those who wait for the next one; for any thread.
final class EventFeed: Sendable {
    private struct State {
        var ring = EventRing()
        var waiting: [UInt64: AsyncStream<Void>.Continuation] = [:]
        var nextTicket: UInt64 = 0
        var isClosed = false
    }

    private let state = Mutex(State())

    /// Adds events, and wakes those who wait.
    func append(_ kinds: [HubEvent.Kind], at time: Timestamp) {
        let woken = state.withLock { state in
            for kind in kinds { state.ring.append(kind, at: time) }
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for waiting in woken { waiting.finish() }
    }

    /// Returns the events behind a number; without one none, and the number of now.
    ///
    /// Where there is none yet it waits for one, a while; not when too many wait.
    func page(
        after number: UInt64?,
        matching filter: EventFilter,
        wait: Duration
    ) async -> EventRing.Page {
        let deadline = ContinuousClock.now + wait
        var after = number ?? state.withLock { $0.ring.last }
        var lost: UInt64 = 0
        while true {
            let (found, news) = look(after: after, matching: filter)
            var page = found
            page.lost += lost
            let left = deadline - .now
            guard page.events.isEmpty, number != nil, left > .zero, let news else { return page }
            (after, lost) = (page.last, page.lost)
            _ = await TimeLimit.value(within: left) { for await _ in news {} }
            if Task.isCancelled { return page }
        }
    }

    /// How many wait.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// Lets all go on who wait; more do not wait.
    func close() {
        state.withLock { $0.isClosed = true }
        append([], at: Timestamp(milliseconds: 0))
    }

    private func forget(_ ticket: UInt64) {
        state.withLock { $0.waiting[ticket] = nil }
    }

    /// The events of now and, where there is none, a stream that ends with the next one.
    private func look(
        after number: UInt64,
        matching filter: EventFilter
    ) -> (EventRing.Page, AsyncStream<Void>?) {
        state.withLock { state in
            let page = state.ring.page(after: number, matching: filter)
            guard page.events.isEmpty, !state.isClosed,
                state.waiting.count < HistoryLimits.waitingPerHub
            else { return (page, nil) }
            let (news, feed) = AsyncStream<Void>.makeStream()
            let ticket = state.nextTicket
            state.nextTicket += 1
            state.waiting[ticket] = feed
            feed.onTermination = { [weak self] end in
                // Those that were woken are out already, and the lock may be held.
                guard case .cancelled = end else { return }
                self?.forget(ticket)
            }
            return (page, news)
        }
    }
}
