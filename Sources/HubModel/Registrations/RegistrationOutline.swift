package import HubTemplates
package import HubVocabulary

/// The facts that indexes need of a stored registration, and where its texts stand in its bytes.
///
/// Read without copying anything: a hub starts with a million of them.
package struct RegistrationOutline: Equatable, Sendable {
    /// Dense number inside the hub.
    package var number: RegistrationNumber
    /// The platform whose sends reach it.
    package var platform: Platform
    /// The external id.
    package var id: Range<Int>
    /// The push handle.
    package var handle: Range<Int>
    /// Its own tags, each behind its length in one byte.
    package var ownTags: Range<Int>
    /// Granted tags, like its own; some may be among both.
    package var grantedTags: Range<Int>
    /// The template's words; empty for a native registration.
    package var template: Range<Int>
    /// Where deliveries go; nil when no device of this hub has the handle.
    package var target: RegistrationTarget?
    /// Nothing before this place ever reaches it.
    package var since: LogPlace
    /// Since when the present tags hold.
    package var tagsSince: LogPlace
    /// When it lapses; nil for never.
    package var expires: Timestamp?

    /// Finds its way through bytes that `RegistrationCodec` wrote.
    ///
    /// Checks less than decoding them does: what a checksum vouches for needs no more.
    /// - Throws: what is wrong with the bytes. Never traps, whatever they are.
    package init(_ bytes: Span<UInt8>) throws(RecordProblem) {
        var reader = try RecordReader(bytes, format: RegistrationCodec.format)
        let parts = try reader.integer(UInt8.self)
        guard parts < 16 else { throw .badField("parts") }
        number = RegistrationNumber(try reader.integer())
        guard number.raw > 0 else { throw .badField("number") }
        _ = try reader.integer(UInt64.self)
        id = try reader.shortRange()
        guard let platform = Platform(rawValue: try reader.integer()) else {
            throw .badField("platform")
        }
        self.platform = platform
        handle = try reader.mediumRange()
        ownTags = try Self.passTags(&reader)
        grantedTags = try Self.passTags(&reader)
        template = 0..<0
        if parts & RegistrationCodec.hasTemplate != 0 {
            let name = try reader.mediumRange()
            for _ in 0..<3 { _ = try reader.mediumRange() }
            template = name.lowerBound - 2..<(try reader.passPairs())
        }
        _ = try reader.passPairs()
        _ = try reader.mediumRange()
        _ = try reader.passPairs()
        if parts & RegistrationCodec.hasTarget != 0 {
            target = try RegistrationCodec.target(from: &reader)
        }
        since = try reader.place()
        tagsSince = try reader.place()
        for _ in 0..<(try reader.integer(UInt8.self)) {
            _ = try Self.passTags(&reader)
            _ = try reader.place()
        }
        if parts & RegistrationCodec.hasHistoryCut != 0 { _ = try reader.place() }
        if parts & RegistrationCodec.hasExpiry != 0 {
            expires = Timestamp(milliseconds: try reader.integer())
        }
        _ = try reader.integer(UInt64.self)
        _ = try reader.integer(UInt64.self)
        try reader.expectEnd()
    }

    /// Where the tag stands whose length is at a place of `ownTags` or `grantedTags`; the next one
    /// begins behind it.
    package static func tag(at position: Int, of bytes: Span<UInt8>) -> Range<Int> {
        position + 1..<position + 1 + Int(bytes[position])
    }

    private static func passTags(
        _ reader: inout RecordReader
    ) throws(RecordProblem) -> Range<Int> {
        try reader.shortRanges(count: Int(try reader.integer(UInt16.self)))
    }
}

extension RegistrationCodec {
    /// The template's words at a range that an outline gives.
    package static func template(
        in range: Range<Int>,
        of bytes: Span<UInt8>
    ) throws(RecordProblem) -> TemplateDefinition {
        var reader = RecordReader(bytes.extracting(range))
        return try template(from: &reader)
    }
}
