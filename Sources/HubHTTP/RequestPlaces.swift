package import NIOCore
import Synchronization

/// The streams of HTTP/2 whose answers are not taken yet, on all connections.
///
/// Any thread may use it.
/// A peer that opens no window keeps the stream and its answer in memory. When places are short, the
/// connection of the oldest stream ends, if that stream is older than `graceSeconds`.
package final class RequestPlaces: Sendable {
    /// A stream older than this many seconds gives way.
    package static let graceSeconds: Int64 = 5

    private struct Entry {
        var since: NIODeadline
        var connection: any Channel
    }

    private let limit: Int
    private let streams = Mutex<[ObjectIdentifier: Entry]>([:])

    /// No streams yet, and at most this many.
    package init(limit: Int) { self.limit = limit }

    /// How many streams have a place.
    package var count: Int { streams.withLock { $0.count } }

    /// Gives a stream of a connection a place until it closes; false when there is none.
    package func enter(
        _ stream: any Channel,
        of connection: any Channel,
        now: NIODeadline = .now()
    ) -> Bool {
        let outcome = streams.withLock { streams -> (isAdmitted: Bool, yielding: (any Channel)?) in
            var yielding: (any Channel)?
            if streams.count >= limit {
                yielding = Self.oldest(in: streams, now: now)
                guard let ending = yielding else { return (false, nil) }
                streams = streams.filter { $0.value.connection !== ending }
            }
            streams[ObjectIdentifier(stream)] = Entry(since: now, connection: connection)
            return (true, yielding)
        }
        outcome.yielding?.close(promise: nil)
        guard outcome.isAdmitted else { return false }
        stream.closeFuture.whenComplete { [self] _ in
            streams.withLock { $0[ObjectIdentifier(stream)] = nil }
        }
        return true
    }

    private static func oldest(
        in streams: [ObjectIdentifier: Entry],
        now: NIODeadline
    ) -> (any Channel)? {
        let oldest = streams.values.min { $0.since < $1.since }
        guard let oldest, oldest.since + .seconds(graceSeconds) <= now else { return nil }
        return oldest.connection
    }
}
