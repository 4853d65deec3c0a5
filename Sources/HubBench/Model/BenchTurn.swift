package import Histogram

/// Which way a number should go.
package enum BenchAim: String, Codable, Equatable, Sendable {
    /// Costs and times.
    case less
    /// Rates.
    case more
    /// Says under which circumstances the others were measured.
    case neither
}

/// One number that a turn measured.
package struct BenchReading: Equatable, Sendable {
    /// What was measured; the same in every turn.
    package var name: String
    /// The unit, for people.
    package var unit: String
    /// Which way is better.
    package var aim: BenchAim
    /// The number.
    package var value: Double
    /// A figure to compare it with; nil where there is none.
    package var reference: Double?

    /// A reading of its parts.
    package init(
        _ name: String,
        _ value: Double,
        _ unit: String,
        _ aim: BenchAim,
        reference: Double? = nil
    ) {
        self.name = name
        self.unit = unit
        self.aim = aim
        self.value = value
        self.reference = reference
    }
}

/// What became of deliveries: all but the first two should be zero.
package struct DeliveryCounts: Codable, Equatable, Sendable {
    /// Deliveries that were owed.
    package var expected = 0
    /// Deliveries that came, each counted once.
    package var delivered = 0
    /// Deliveries that neither came nor were announced as lost.
    package var lost = 0
    /// Deliveries that came again.
    package var duplicated = 0
    /// Deliveries to devices that should not have them, or of notifications that nobody sent.
    package var misrouted = 0
    /// Requests that were not answered as they should be.
    package var sendsFailed = 0

    /// Nothing yet.
    package init() {}

    /// Whether nothing was lost, doubled, misrouted or refused.
    package var isExact: Bool {
        lost == 0 && duplicated == 0 && misrouted == 0 && sendsFailed == 0
    }

    mutating func add(_ other: DeliveryCounts) {
        expected += other.expected
        delivered += other.delivered
        lost += other.lost
        duplicated += other.duplicated
        misrouted += other.misrouted
        sendsFailed += other.sendsFailed
    }
}

/// Times of one kind, with three digits up to an hour.
package struct LatencySample: Sendable {
    /// What lies between the two moments.
    package var name: String
    /// The times, in nanoseconds.
    package private(set) var histogram = Histogram<UInt64>(
        highestTrackableValue: LatencySample.nanosecondsMax
    )

    /// The longest time that is told from longer ones: an hour.
    package static let nanosecondsMax: UInt64 = 3_600_000_000_000

    /// An empty sample.
    package init(_ name: String) { self.name = name }

    /// Adds a time in nanoseconds; one above an hour counts as an hour.
    package mutating func record(nanoseconds: UInt64) {
        _ = histogram.record(min(nanoseconds, Self.nanosecondsMax))
    }

    /// Adds all times of another sample.
    package mutating func add(_ other: LatencySample) { histogram.add(other.histogram) }
}

/// What one turn of a scenario measured.
package struct BenchTurn: Sendable {
    /// Numbers, in the order in which they are shown.
    package var readings: [BenchReading] = []
    /// Times.
    package var latencies: [LatencySample] = []
    /// What became of deliveries.
    package var counts = DeliveryCounts()
    /// What else went wrong, as readable lines; any makes the run fail.
    package var faults: [String] = []
    /// The same by name, where programs read it so.
    package var detail: BenchDetail?

    /// Nothing yet.
    package init() {}

    /// Adds a number.
    package mutating func read(
        _ name: String,
        _ value: Double?,
        _ unit: String,
        _ aim: BenchAim,
        reference: Double? = nil
    ) {
        guard let value else { return }
        readings.append(BenchReading(name, value, unit, aim, reference: reference))
    }
}

/// Figures by name, of scenarios that are older than the common report.
package enum BenchDetail: Encodable, Sendable {
    case fanout(FanoutResult)
    case storm(StormResult)

    /// Writes the figures beside what else the encoder's object has.
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .fanout(let result): try result.encode(to: encoder)
        case .storm(let result): try result.encode(to: encoder)
        }
    }
}
