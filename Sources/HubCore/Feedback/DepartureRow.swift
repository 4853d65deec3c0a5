/// Why a registration ended, or its handle, without a caller of REST having asked for it.
package enum DepartureCause: UInt8, CaseIterable, Sendable {
    /// Its time was over, or that of its installation.
    case lapsed = 1
    /// Its device was not seen for too long.
    case idle = 2
    /// The key of its device was revoked: the registration is there still, its handle leads nowhere.
    case revoked = 3
    /// Its device took it back.
    case unregistered = 4
}

/// A row of the journal of departures: one registration that ended by itself.
///
/// Source: REST reference §12.
package struct DepartureRow: Hashable, Sendable {
    /// Its place in the journal, from 1 on and without holes, as long as the journal is not empty.
    package var number: UInt64
    /// When it ended; never before that of the row before.
    package var time: Timestamp
    /// Why.
    package var cause: DepartureCause
    /// Whose handle it is.
    package var platform: Platform
    /// The push handle as REST shows it: a secret.
    package var handle: [UInt8]
    /// The registration's external id.
    package var registration: [UInt8]
    /// The id of the installation that the registration belonged to; nil for none.
    package var installation: [UInt8]?

    /// Makes a row.
    package init(
        number: UInt64,
        time: Timestamp,
        cause: DepartureCause,
        platform: Platform,
        handle: [UInt8],
        registration: [UInt8],
        installation: [UInt8]? = nil
    ) {
        self.number = number
        self.time = time
        self.cause = cause
        self.platform = platform
        self.handle = handle
        self.registration = registration
        self.installation = installation
    }
}

/// The stored form of a departure but for its number and time, which stand beside it.
///
///     | 1 | cause: u8 | platform: u8 | handle: medium | registration: medium | installation: medium |
package enum DepartureCodec {
    private static let format: UInt8 = 1

    /// Writes a row.
    package static func encode(_ departure: DepartureRow) -> [UInt8] {
        let installation = departure.installation ?? []
        let size = departure.handle.count + departure.registration.count + installation.count
        var writer = RecordWriter(format: format, capacity: size + 9)
        writer.integer(departure.cause.rawValue)
        writer.integer(departure.platform.rawValue)
        writer.medium(departure.handle)
        writer.medium(departure.registration)
        writer.medium(installation)
        return writer.bytes
    }

    /// Reads what `encode` has written.
    ///
    /// - Throws: what is wrong with the bytes.
    package static func decode(
        _ bytes: Span<UInt8>,
        number: UInt64,
        time: Timestamp
    ) throws(RecordProblem) -> DepartureRow {
        var reader = try RecordReader(bytes, format: format)
        guard let cause = DepartureCause(rawValue: try reader.integer()) else {
            throw .badField("cause")
        }
        guard let platform = Platform(rawValue: try reader.integer()) else {
            throw .badField("platform")
        }
        let handle = try reader.medium()
        let registration = try reader.medium()
        let installation = try reader.medium()
        try reader.expectEnd()
        return DepartureRow(
            number: number,
            time: time,
            cause: cause,
            platform: platform,
            handle: handle,
            registration: registration,
            installation: installation.isEmpty ? nil : installation
        )
    }
}

/// What the directory reads of the journal of departures, as of the last commit.
package protocol DepartureReading: AnyObject {
    /// The numbers of the rows that are kept; nil when there are none.
    func departureNumbers() throws(StoreError) -> ClosedRange<UInt64>?

    /// Rows from a number on, ascending, at most `limit`.
    func departures(from number: UInt64, limit: Int) throws(StoreError) -> [DepartureRow]
}
