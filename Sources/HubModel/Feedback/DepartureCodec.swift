package import HubVocabulary

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
