package import HubVocabulary

/// Settings as a store keeps them; reads exactly what it writes.
///
///     | format: u8 = 1 | default time to live: u32 | retention: u32 | device cap: u32
///     | purged through: u64 | log bytes warned: u64 |
///
/// Integers are big-endian.
package enum HubSettingsCodec {
    /// The first byte of what is written.
    package static let format: UInt8 = 1

    /// The bytes of settings.
    package static func encode(_ settings: HubSettings) -> [UInt8] {
        var writer = RecordWriter(format: format, capacity: 29)
        writer.integer(settings.timeToLiveDefaultSeconds)
        writer.integer(settings.retentionSeconds)
        writer.integer(settings.deviceCap)
        writer.integer(settings.purgedThrough)
        writer.integer(settings.logBytesWarned)
        return writer.bytes
    }

    /// The settings of some bytes.
    ///
    /// - Throws: what is wrong with the bytes. Never traps, whatever they are.
    package static func decode(_ bytes: Span<UInt8>) throws(RecordProblem) -> HubSettings {
        var reader = try RecordReader(bytes, format: format)
        let settings = HubSettings(
            timeToLiveDefaultSeconds: try reader.integer(),
            retentionSeconds: try reader.integer(),
            deviceCap: try reader.integer(),
            purgedThrough: try reader.integer(),
            logBytesWarned: try reader.integer()
        )
        try reader.expectEnd()
        return settings
    }
}
