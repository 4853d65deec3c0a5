/// One device: 16 bytes, chosen by the hub, or derived from a client certificate.
///
/// All zero means "assign one" and never names a device. Source: rules C.1, C.2.
package struct DeviceID: Hashable, Comparable, Sendable {
    /// Bytes 0..7, big-endian.
    package var high: UInt64
    /// Bytes 8..15, big-endian.
    package var low: UInt64

    /// Makes an id of its two halves.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The id that asks for a new one.
    package static let none = DeviceID(high: 0, low: 0)

    package static func < (left: DeviceID, right: DeviceID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

/// One notification: a UUIDv7, so it carries the time at which it was accepted.
package struct NotificationID: Hashable, Sendable {
    /// Bytes 0..7, big-endian: 48 bits of milliseconds, version, 12 random bits.
    package var high: UInt64
    /// Bytes 8..15, big-endian: variant and 62 random bits.
    package var low: UInt64

    /// Makes an id of its two halves.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// When it was accepted.
    package var time: Timestamp { Timestamp(milliseconds: high >> 16) }

    /// What a position says about the record at its sequence number: the id's last four bytes.
    ///
    /// Source: rules B.1.
    package var check: UInt32 { UInt32(truncatingIfNeeded: low) }
}

/// Wall-clock time in milliseconds since 1970, as the wire and the log carry it.
package struct Timestamp: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970-01-01T00:00:00Z.
    package var milliseconds: UInt64

    /// Makes a timestamp of milliseconds since 1970.
    package init(milliseconds: UInt64) { self.milliseconds = milliseconds }

    package static func < (left: Timestamp, right: Timestamp) -> Bool {
        left.milliseconds < right.milliseconds
    }

    /// This many seconds later; stops at the largest time.
    package func adding(seconds: UInt64) -> Timestamp {
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000)
        let (sum, carried) = milliseconds.addingReportingOverflow(product)
        return Timestamp(milliseconds: overflow || carried ? .max : sum)
    }
}

/// A point of the monotonic clock, for deadlines; unrelated to wall-clock time.
package struct Instant: Hashable, Comparable, Sendable {
    /// Nanoseconds since an arbitrary start.
    package var nanoseconds: UInt64

    /// Makes an instant of nanoseconds since the clock's start.
    package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

    package static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// This much later.
    package func adding(milliseconds: UInt64) -> Instant {
        Instant(nanoseconds: nanoseconds &+ milliseconds &* 1_000_000)
    }

    /// Whole milliseconds from `earlier` to here; 0 when `earlier` is not earlier.
    package func milliseconds(since earlier: Instant) -> UInt64 {
        nanoseconds > earlier.nanoseconds ? (nanoseconds - earlier.nanoseconds) / 1_000_000 : 0
    }
}

/// Both clocks, read once per turn of an event loop and given to the core.
package struct Now: Sendable {
    /// The monotonic clock, for deadlines.
    package var instant: Instant
    /// The wall clock, for ids, tokens and expiry.
    package var time: Timestamp

    /// Makes a reading.
    package init(instant: Instant, time: Timestamp) {
        self.instant = instant
        self.time = time
    }
}

/// One TLS stream as a shard knows it; `slot` is dense and reused, `generation` tells owners apart.
package struct ConnectionID: Hashable, Sendable {
    /// Index into tables by connection.
    package var slot: UInt32
    /// Distinguishes successive owners of a slot.
    package var generation: UInt32

    /// Makes an id of its parts.
    package init(slot: UInt32, generation: UInt32) {
        self.slot = slot
        self.generation = generation
    }
}

/// Where a connection lives: the shard that owns it and its id there.
package struct ConnectionAddress: Hashable, Sendable {
    /// Index of the shard.
    package var shard: Int
    /// The connection on that shard.
    package var connection: ConnectionID

    /// Makes an address of its parts.
    package init(shard: Int, connection: ConnectionID) {
        self.shard = shard
        self.connection = connection
    }
}

/// The dense number of a registration inside one hub; not reused within a log epoch.
package struct RegistrationNumber: Hashable, Comparable, Sendable {
    /// 1-based; 0 names nothing.
    package var raw: UInt32

    /// Makes a number.
    package init(_ raw: UInt32) { self.raw = raw }

    package static func < (left: RegistrationNumber, right: RegistrationNumber) -> Bool {
        left.raw < right.raw
    }
}

/// A place in the log's order: everything accepted at or after it sees what became effective there.
package struct LogPlace: Hashable, Sendable {
    /// The log's epoch.
    package var epoch: UInt64
    /// A sequence number.
    package var sequence: UInt64

    /// Makes a place of its parts.
    package init(epoch: UInt64, sequence: UInt64) {
        self.epoch = epoch
        self.sequence = sequence
    }
}

/// How far a device has come: Protocol's position, rules B.1.
package struct Position: Hashable, Sendable {
    /// The log's epoch; 0 means "no position" and then the others are 0 too.
    package var epoch: UInt64
    /// The highest complete sequence number; 0 means nothing yet.
    package var sequence: UInt64
    /// The fingerprint of the record at `sequence`.
    package var check: UInt32

    /// Makes a position of its parts.
    package init(epoch: UInt64, sequence: UInt64, check: UInt32) {
        self.epoch = epoch
        self.sequence = sequence
        self.check = check
    }

    /// The position of a device that has none.
    package static let none = Position(epoch: 0, sequence: 0, check: 0)
}
