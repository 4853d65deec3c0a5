/// The dense number of an installation inside one hub; orders lists.
package struct InstallationNumber: Hashable, Comparable, Sendable {
    /// 1-based; 0 names nothing.
    package var raw: UInt32

    /// Makes a number.
    package init(_ raw: UInt32) { self.raw = raw }

    package static func < (left: InstallationNumber, right: InstallationNumber) -> Bool {
        left.raw < right.raw
    }
}

/// An installation as a hub keeps it; its registrations are rows of their own.
///
/// Source: REST reference §5, rules A.6.
package struct Installation: Equatable, Sendable {
    /// Its place in lists.
    package var number: InstallationNumber
    /// As its last writer spelled it; compares without ASCII case.
    package var id: [UInt8]
    /// The platform of its registrations.
    package var platform: Platform
    /// The document as canonical JSON, without what the hub alone knows.
    package var text: [UInt8]
    /// Whether the backend gave it a user or protected tags: a Listen token leaves it alone then.
    ///
    /// Source: rules C.4.
    package var isGranted: Bool
    /// When it lapses; nil for never.
    package var expires: Timestamp?

    /// Makes an installation; the directory is the only caller outside tests and stores.
    package init(
        number: InstallationNumber,
        id: [UInt8],
        platform: Platform,
        text: [UInt8],
        isGranted: Bool = false,
        expires: Timestamp? = nil
    ) {
        self.number = number
        self.id = id
        self.platform = platform
        self.text = text
        self.isGranted = isGranted
        self.expires = expires
    }

    /// What names it among all of a hub: the id in lower case.
    package var key: [UInt8] { ASCII.lower(id) }

    /// Its document, read again; nil only for a stored text that no release wrote.
    package func document(limits: CoreLimits) -> InstallationDocument? {
        guard let value = InstallationReader.parsed(text) else { return nil }
        // What was stored is read with room for what older limits allowed.
        return try? InstallationReader.document(value, id: id, limits: limits.roomy)
    }

    /// The document for whoever reads it: as written, with what the hub knows of the handle.
    ///
    /// Source: REST reference §5.2.
    package func answer(channelExpired: Bool, limits: CoreLimits) -> [UInt8] {
        document(limits: limits)?.value(channelExpired: channelExpired).json ?? text
    }
}

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

extension CoreLimits {
    /// These limits, with any number of parts.
    fileprivate var roomy: CoreLimits {
        var limits = self
        limits.tagsBytesMax = .max / 2
        limits.tagsMax = .max
        limits.installationTemplatesMax = .max
        limits.installationTilesMax = .max
        limits.installationPairsMax = .max
        limits.templateNameBytesMax = .max
        return limits
    }
}
