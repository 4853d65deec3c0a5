package import HubVocabulary

/// An installation as the store keeps it; reads exactly what it writes.
///
///     | format: u8 = 1 | parts: u8 | number: u32 | platform: u8 | id: str8 | [expires: u64]
///     | text: u32 length, bytes
///
/// *parts*: 1 granted by the backend, 2 expires. Integers are big-endian.
package enum InstallationCodec {
    private static let format: UInt8 = 1

    /// The bytes of an installation.
    package static func encode(_ installation: Installation) -> [UInt8] {
        var writer = RecordWriter(format: format, capacity: 64 + installation.text.count)
        writer.integer(
            UInt8(installation.isGranted ? 1 : 0) | UInt8(installation.expires == nil ? 0 : 2)
        )
        writer.integer(installation.number.raw)
        writer.integer(installation.platform.rawValue)
        writer.short(installation.id)
        if let expires = installation.expires { writer.integer(expires.milliseconds) }
        writer.long(installation.text)
        return writer.bytes
    }

    /// The installation of some bytes.
    ///
    /// - Throws: what is wrong with the bytes. Never traps, whatever they are.
    package static func decode(_ bytes: Span<UInt8>) throws(RecordProblem) -> Installation {
        var reader = try RecordReader(bytes, format: format)
        let parts = try reader.integer(UInt8.self)
        guard parts < 4 else { throw .badField("parts") }
        let number = InstallationNumber(try reader.integer())
        guard let platform = Platform(rawValue: try reader.integer()) else {
            throw .badField("platform")
        }
        let id = try reader.short()
        let expires = parts & 2 == 0 ? nil : Timestamp(milliseconds: try reader.integer())
        let text = try reader.long()
        try reader.expectEnd()
        return Installation(
            number: number,
            id: id,
            platform: platform,
            text: text,
            isGranted: parts & 1 != 0,
            expires: expires
        )
    }
}
