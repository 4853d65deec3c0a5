package import NIOCore

/// Which connections of a listener give way to others; decides, and closes nothing.
///
/// A connection makes progress with its beginning and with each part of an answer to a request. A
/// peer's PING makes none, nor do other frames that HTTP/2 answers by itself. The connection without
/// progress for the longest time gives way once places are short. Of those that do not take their
/// answers only a few may stay, since each holds memory. The answers that wait for all peers together
/// have a limit too: many peers can leave a little each before one of them counts as blocked.
package struct PlaceTable<ID: Hashable & Sendable>: Sendable {
    /// Limits of the connections of one listener.
    package struct Limits: Sendable {
        /// Connections above which some give way.
        package var connections: Int
        /// Connections at once that take nothing of their answers.
        package var blocked = 256
        /// Bytes of answers that wait for the peers of all connections.
        package var unreadBytes = 33_554_432
        /// Time without progress before a connection gives way for want of places.
        package var grace = TimeAmount.seconds(5)

        /// Limits with a number of connections and the defaults.
        package init(connections: Int) { self.connections = connections }
    }

    private struct Entry {
        var progressedAt: NIODeadline
        var blockedAt: NIODeadline?
        /// Bytes that wait for the peer, and since when it has taken none of them.
        var unread = 0
        var stalledAt: NIODeadline
    }

    private let limits: Limits
    private var entries: [ID: Entry] = [:]
    private var blocked = 0
    private var unread = 0

    /// A table without connections.
    package init(_ limits: Limits) { self.limits = limits }

    /// How many connections there are.
    package var count: Int { entries.count }
    /// Bytes of answers that wait for all peers.
    package var unreadBytes: Int { unread }

    /// Enters a connection; returns the one that gives way to it, if any.
    ///
    /// Constant time below the limit, otherwise linear in the number of connections.
    package mutating func enter(_ id: ID, at now: NIODeadline) -> ID? {
        entries[id] = Entry(progressedAt: now, stalledAt: now)
        return relieve(at: now)
    }

    /// Returns the connection that gives way now, if any; as `enter`, without a newcomer.
    ///
    /// When all connections are new, none gives way to the last one, and no further one enters.
    package mutating func relieve(at now: NIODeadline) -> ID? {
        guard let due = nextRelief, due.at <= now else { return nil }
        leave(due.id)
        return due.id
    }

    /// The connection that gives way next, and when; nil while there are places.
    package var nextRelief: (id: ID, at: NIODeadline)? {
        guard entries.count > limits.connections else { return nil }
        return entries.min { $0.value.progressedAt < $1.value.progressedAt }.map {
            ($0.key, $0.value.progressedAt + limits.grace)
        }
    }

    /// A part of an answer was written to the peer.
    package mutating func progressed(_ id: ID, at now: NIODeadline) {
        entries[id]?.progressedAt = now
    }

    /// The peer has stopped to read, or reads again; returns the connection that gives way, if any.
    package mutating func setBlocked(_ id: ID, _ isBlocked: Bool, at now: NIODeadline) -> ID? {
        guard let entry = entries[id], (entry.blockedAt != nil) != isBlocked else { return nil }
        entries[id]?.blockedAt = isBlocked ? now : nil
        blocked += isBlocked ? 1 : -1
        guard blocked > limits.blocked else { return nil }
        let waiting = entries.filter { $0.value.blockedAt != nil }
        let longest = waiting.min { $0.value.blockedAt ?? now < $1.value.blockedAt ?? now }
        guard let longest else { return nil }
        leave(longest.key)
        return longest.key
    }

    /// So many bytes wait for a peer now; returns the connections that give way.
    ///
    /// Linear in the number of connections when too many bytes wait.
    package mutating func setUnread(_ id: ID, _ bytes: Int, at now: NIODeadline) -> [ID] {
        guard let entry = entries[id] else { return [] }
        // Each part that the peer takes begins its time anew.
        if entry.unread == 0 || bytes < entry.unread { entries[id]?.stalledAt = now }
        entries[id]?.unread = bytes
        unread += bytes - entry.unread
        guard bytes > entry.unread, unread > limits.unreadBytes else { return [] }
        let waiting = entries.filter { $0.value.unread > 0 }
        var yielding: [ID] = []
        for (id, _) in waiting.sorted(by: { $0.value.stalledAt < $1.value.stalledAt }) {
            leave(id)
            yielding.append(id)
            if unread <= limits.unreadBytes { break }
        }
        return yielding
    }

    /// A connection has ended; one that gave way has left already.
    package mutating func leave(_ id: ID) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        if entry.blockedAt != nil { blocked -= 1 }
        unread -= entry.unread
    }
}
