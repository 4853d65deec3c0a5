import HubTags
import HubTemplates
package import HubVocabulary

/// A registration as the store keeps it; reads exactly what it writes.
///
///     | format: u8 = 1 | parts: u8 | number: u32 | version: u64 | id: str8 | platform: u8
///     | handle: str16 | own tags | granted tags | [template] | push variables | tile name: str16
///     | platform fields | [target: u64 u64 u16] | since | tags since | u8 n x ( tags | until )
///     | [history cut] | [expires: u64] | created: u64 | modified: u64
///
/// *parts* says which of the bracketed ones are there: 1 template, 2 target, 4 history cut,
/// 8 expires. Places are `u64 epoch | u64 sequence`; tags `u16 n | n x str8`; push variables and
/// platform fields `u8 n | n x ( str16 | str16 )`; a template is name, body, expiry, priority, each
/// str16, and its headers. Integers are big-endian.
package enum RegistrationCodec {
    /// The first byte of what is written.
    package static let format: UInt8 = 1

    /// Tags of a list that is read: more than all releases took, and a set is linear in its size.
    package static let tagsMax = 4_096

    static let hasTemplate: UInt8 = 1
    static let hasTarget: UInt8 = 2
    static let hasHistoryCut: UInt8 = 4
    static let hasExpiry: UInt8 = 8

    /// The bytes of a registration; its compiled template is not part of them.
    package static func encode(_ registration: Registration) -> [UInt8] {
        let content = registration.content
        var writer = RecordWriter(format: format, capacity: 256 + content.tags.bytes.count)
        var parts: UInt8 = 0
        if content.template != nil { parts |= hasTemplate }
        if registration.target != nil { parts |= hasTarget }
        if registration.historyCut != nil { parts |= hasHistoryCut }
        if registration.expires != nil { parts |= hasExpiry }
        writer.integer(parts)
        writer.integer(registration.number.raw)
        writer.integer(registration.version)
        writer.short(registration.id)
        write(content, granted: registration.granted, to: &writer)
        if let target = registration.target {
            writer.integer(target.device.high)
            writer.integer(target.device.low)
            writer.integer(target.slot)
        }
        writer.place(registration.since)
        writer.place(registration.tagsSince)
        writer.integer(UInt8(registration.formerTags.count))
        for former in registration.formerTags {
            write(former.tags, to: &writer)
            writer.place(former.until)
        }
        if let cut = registration.historyCut { writer.place(cut) }
        if let expires = registration.expires { writer.integer(expires.milliseconds) }
        writer.integer(registration.created.milliseconds)
        writer.integer(registration.modified.milliseconds)
        return writer.bytes
    }

    /// The registration of some bytes; `template` is nil, its definition is in the content.
    ///
    /// - Throws: what is wrong with the bytes. Never traps, whatever they are.
    package static func decode(_ bytes: Span<UInt8>) throws(RecordProblem) -> Registration {
        var reader = try RecordReader(bytes, format: format)
        let parts = try reader.integer(UInt8.self)
        guard parts < 16 else { throw .badField("parts") }
        let number = RegistrationNumber(try reader.integer())
        let version = try reader.integer(UInt64.self)
        let id = try reader.short()
        let (content, granted) = try content(parts: parts, from: &reader, of: bytes)
        let target = parts & hasTarget == 0 ? nil : try target(from: &reader)
        let since = try reader.place()
        let tagsSince = try reader.place()
        var former: [FormerTags] = []
        for _ in 0..<(try reader.integer(UInt8.self)) {
            let tags = try tags(from: &reader, of: bytes)
            former.append(FormerTags(tags: tags, until: try reader.place()))
        }
        let cut = parts & hasHistoryCut == 0 ? nil : try reader.place()
        let expires = parts & hasExpiry == 0 ? nil : Timestamp(milliseconds: try reader.integer())
        let created = Timestamp(milliseconds: try reader.integer())
        let modified = Timestamp(milliseconds: try reader.integer())
        try reader.expectEnd()
        return Registration(
            number: number,
            id: id,
            version: version,
            content: content,
            granted: granted,
            target: target,
            template: nil,
            since: since,
            tagsSince: tagsSince,
            formerTags: former,
            historyCut: cut,
            expires: expires,
            created: created,
            modified: modified
        )
    }

    private static func write(
        _ content: RegistrationContent,
        granted: TagSet,
        to writer: inout RecordWriter
    ) {
        writer.integer(content.platform.rawValue)
        writer.medium(content.handle)
        write(content.tags, to: &writer)
        write(granted, to: &writer)
        if let template = content.template {
            writer.medium(template.name)
            writer.medium(template.body)
            writer.medium(template.expiry)
            writer.medium(template.priority)
            writer.pairs(template.headers)
        }
        writer.pairs(content.pushVariables)
        writer.medium(content.secondaryTileName)
        writer.pairs(content.platformFields)
    }

    private static func content(
        parts: UInt8,
        from reader: inout RecordReader,
        of bytes: Span<UInt8>
    ) throws(RecordProblem) -> (RegistrationContent, granted: TagSet) {
        guard let platform = Platform(rawValue: try reader.integer()) else {
            throw .badField("platform")
        }
        let handle = try reader.medium()
        let own = try tags(from: &reader, of: bytes)
        let granted = try tags(from: &reader, of: bytes)
        var content = RegistrationContent(platform: platform, handle: handle, tags: own)
        if parts & hasTemplate != 0 {
            content.template = try template(from: &reader)
        }
        content.pushVariables = try reader.pairs()
        content.secondaryTileName = try reader.medium()
        content.platformFields = try reader.pairs()
        return (content, granted)
    }

    static func template(
        from reader: inout RecordReader
    ) throws(RecordProblem) -> TemplateDefinition {
        let name = try reader.medium()
        var template = TemplateDefinition(name: name, body: try reader.medium())
        template.expiry = try reader.medium()
        template.priority = try reader.medium()
        template.headers = try reader.pairs()
        return template
    }

    static func target(
        from reader: inout RecordReader
    ) throws(RecordProblem) -> RegistrationTarget {
        let high = try reader.integer(UInt64.self)
        let low = try reader.integer(UInt64.self)
        let slot = try reader.integer(UInt16.self)
        return RegistrationTarget(device: DeviceID(high: high, low: low), slot: slot)
    }

    private static func write(_ tags: TagSet, to writer: inout RecordWriter) {
        writer.integer(UInt16(tags.count))
        for index in 0..<tags.count { writer.short(tags.bytes[tags.range(at: index)]) }
    }

    private static func tags(
        from reader: inout RecordReader,
        of bytes: Span<UInt8>
    ) throws(RecordProblem) -> TagSet {
        var tags = TagSet()
        let count = try reader.integer(UInt16.self)
        guard count <= tagsMax else { throw .badField("tags") }
        for _ in 0..<count {
            let tag = bytes.extracting(try reader.shortRange())
            guard !tag.isEmpty, tags.append(tag) else { throw .badField("tags") }
        }
        return tags
    }
}
