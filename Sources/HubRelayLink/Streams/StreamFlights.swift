import HubRelay
import NIOCore

/// The requests that a connection has in flight, by the numbers of their streams.
struct StreamFlights {
    struct Flight {
        let request: StreamRequest
        /// Bytes of its content that were written, and that its own window allows.
        var sent = 0
        var window: Int
        var answer: RelayAnswer?

        init(_ request: StreamRequest, window: Int) {
            self.request = request
            self.window = window
        }

        var isUnsent: Bool { sent < request.request.body.count }
    }

    private var flights: [UInt32: Flight] = [:]
    /// Those whose content is not written as a whole; most often there is none.
    private var unsentIDs: Set<UInt32> = []

    var count: Int { flights.count }

    subscript(_ id: UInt32) -> Flight? {
        get { flights[id] }
        set {
            flights[id] = newValue
            if newValue?.isUnsent == true {
                unsentIDs.insert(id)
            } else if !unsentIDs.isEmpty {
                unsentIDs.remove(id)
            }
        }
    }

    mutating func remove(_ id: UInt32) -> Flight? {
        if !unsentIDs.isEmpty { unsentIDs.remove(id) }
        return flights.removeValue(forKey: id)
    }

    /// Takes out the streams above a number, in their order.
    mutating func removeAll(above last: UInt32) -> [Flight] {
        flights.keys.filter { $0 > last }.sorted().compactMap { remove($0) }
    }

    mutating func append(_ bytes: ByteBuffer, to id: UInt32) {
        guard bytes.readableBytes > 0 else { return }
        flights[id]?.answer?.body += bytes.readableBytesView
    }

    // MARK: Deadlines

    /// When the first request ends without an answer.
    var deadline: NIODeadline? { flights.values.map { $0.request.deadline.at }.min() }

    /// The streams whose time is over, in their order.
    func due(at now: NIODeadline) -> [UInt32] {
        flights.filter { $1.request.deadline.at <= now }.keys.sorted()
    }

    // MARK: Windows

    /// The streams whose content is not written as a whole, in their order.
    func unsent() -> [UInt32] { unsentIDs.isEmpty ? [] : unsentIDs.sorted() }

    /// A stream's own window grows; returns whether it waited for that.
    mutating func grow(_ id: UInt32, by increment: Int) -> Bool {
        guard let flight = flights[id] else { return false }
        flights[id]?.window += increment
        return flight.isUnsent
    }

    /// The windows of all streams change with the setting for new ones.
    mutating func widen(by difference: Int) {
        guard difference != 0 else { return }
        for id in flights.keys { flights[id]?.window += difference }
    }
}
