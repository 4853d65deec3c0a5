package import NIOCore
import Synchronization

/// The streams of HTTP/2 whose answers are not taken yet, on all connections.
///
/// Any thread may use it. A peer that opens no window keeps the stream and its answer in memory. When
/// places are short, the connection of the oldest answer ends, if that is older than `graceSeconds`.
/// A stream that waits for the server never costs its connection.
package final class RequestPlaces: Sendable {
    /// An answer that was not taken for so many seconds gives way.
    package static let graceSeconds: Int64 = 5

    /// The fate of a stream.
    package enum Admission: Equatable, Sendable {
        case admitted
        /// No place is free; the connection has other streams with places, or none.
        case refused(hasOthers: Bool)
    }

    private struct Entry {
        var connection: any Channel
        /// Nil while the server works on the request.
        var answeredAt: NIODeadline?
    }

    private let limit: Int
    private let onYield: @Sendable () -> Void
    private let streams = Mutex<[ObjectIdentifier: Entry]>([:])

    /// No streams yet, and at most this many; `onYield` is told of each connection that gives way.
    package init(limit: Int, onYield: @escaping @Sendable () -> Void = {}) {
        self.limit = limit
        self.onYield = onYield
    }

    /// How many streams have a place.
    package var count: Int { streams.withLock { $0.count } }

    /// Gives a stream of a connection a place until it closes, if there is one.
    package func enter(
        _ stream: any Channel,
        of connection: any Channel,
        now: NIODeadline = .now()
    ) -> Admission {
        let outcome = streams.withLock { streams -> (Admission, yielding: (any Channel)?) in
            var yielding: (any Channel)?
            if streams.count >= limit {
                yielding = Self.oldest(in: streams, now: now)
                guard let ending = yielding else {
                    let hasOthers = streams.values.contains { $0.connection === connection }
                    return (.refused(hasOthers: hasOthers), nil)
                }
                streams = streams.filter { $0.value.connection !== ending }
            }
            streams[ObjectIdentifier(stream)] = Entry(connection: connection)
            return (.admitted, yielding)
        }
        if let yielding = outcome.yielding {
            onYield()
            yielding.close(promise: nil)
        }
        guard outcome.0 == .admitted else { return outcome.0 }
        stream.closeFuture.whenComplete { [self] _ in
            streams.withLock { $0[ObjectIdentifier(stream)] = nil }
        }
        return .admitted
    }

    /// The request of a stream has its answer; its peer takes it from now on.
    package func answered(_ stream: any Channel, now: NIODeadline = .now()) {
        streams.withLock { $0[ObjectIdentifier(stream)]?.answeredAt = now }
    }

    private static func oldest(
        in streams: [ObjectIdentifier: Entry],
        now: NIODeadline
    ) -> (any Channel)? {
        let answered = streams.values.compactMap { entry in
            entry.answeredAt.map { (at: $0, connection: entry.connection) }
        }
        let oldest = answered.min { $0.at < $1.at }
        guard let oldest, oldest.at + .seconds(graceSeconds) <= now else { return nil }
        return oldest.connection
    }
}
