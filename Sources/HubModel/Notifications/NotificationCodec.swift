import HubTags
import HubTemplates
package import HubVocabulary

/// A log record as the store keeps it, without its sequence number; reads exactly what it writes.
///
///     | format: u8 = 2 | id: u64 u64 | format: u8 | target: u8 | priority: u8 | receipts: u8
///     | time to live: u32 | collapse key: str8 | content type: str8 | headers | [expression: str16]
///     | [u16 n x str16 handle] | [[tested: str16] u16 n x ( device: u64 u64 | slot: u16 )]
///     | anchors: u16 n x u64 | body: str32
///
/// *format* is the platform's number, 255 for template. *target* is 0 everybody, 1 an expression, 2
/// handles, 3 slots, 4 slots behind the expression that a test chose them by. A time to live of 0
/// is transient. Headers are `u8 n | n x ( str16 | str16 )`. Integers are big-endian.
package enum NotificationCodec {
    /// The first byte of what is written.
    package static let format: UInt8 = 2

    private static let templateFormat: UInt8 = 255

    /// The bytes of a record.
    package static func encode(_ record: NotificationRecord) -> [UInt8] {
        let draft = record.draft
        var writer = RecordWriter(format: format, capacity: 128 + draft.body.count)
        writer.integer(record.id.high)
        writer.integer(record.id.low)
        switch draft.format {
        case .native(let platform): writer.integer(platform.rawValue)
        case .template: writer.integer(templateFormat)
        }
        switch draft.target {
        case .broadcast: writer.integer(0 as UInt8)
        case .tags: writer.integer(1 as UInt8)
        case .handles: writer.integer(2 as UInt8)
        case .slots: writer.integer(draft.testedExpression.isEmpty ? 3 : 4 as UInt8)
        }
        writer.integer(draft.priority.rawValue)
        writer.integer(draft.wantsReceipts ? 1 : 0 as UInt8)
        switch draft.timeToLive {
        case .transient: writer.integer(0 as UInt32)
        case .seconds(let seconds): writer.integer(seconds)
        }
        writer.short(draft.collapseKey)
        writer.short(draft.contentType)
        writer.pairs(draft.headers)
        switch draft.target {
        case .broadcast: break
        case .tags(let expression): writer.medium(expression.source)
        case .handles(let handles):
            writer.integer(UInt16(handles.count))
            for handle in handles { writer.medium(handle) }
        case .slots(let targets):
            if !draft.testedExpression.isEmpty { writer.medium(draft.testedExpression) }
            writer.integer(UInt16(targets.count))
            for target in targets {
                writer.integer(target.device.high)
                writer.integer(target.device.low)
                writer.integer(target.slot)
            }
        }
        writer.integer(UInt16(record.anchors.count))
        for anchor in record.anchors { writer.integer(anchor.raw) }
        writer.long(draft.body)
        return writer.bytes
    }

    /// The record of some bytes at its place; parses the expression and the property bag again.
    ///
    /// - Throws: what is wrong with the bytes. Never traps, whatever they are.
    package static func decode(
        _ bytes: Span<UInt8>,
        sequence: UInt64
    ) throws(RecordProblem) -> NotificationRecord {
        var reader = try RecordReader(bytes, format: format)
        let front = try Front(from: &reader, sequence: sequence)
        let body = try reader.long()
        try reader.expectEnd()
        let header = front.header
        let draft = NotificationDraft(
            format: header.format,
            target: header.target,
            body: body,
            properties: try properties(in: body, header.format),
            contentType: front.contentType,
            headers: front.headers,
            timeToLive: header.timeToLive,
            collapseKey: header.collapseKey,
            priority: front.priority,
            wantsReceipts: front.wantsReceipts,
            testedExpression: front.testedExpression
        )
        return NotificationRecord(
            sequence: sequence,
            id: header.id,
            draft: draft,
            anchors: front.anchors
        )
    }

    /// Returns the header of a record from its bytes; looks at everything but the body.
    ///
    /// - Throws: what is wrong with the bytes in front of the body.
    package static func header(
        in bytes: Span<UInt8>,
        sequence: UInt64
    ) throws(RecordProblem) -> RecordHeader {
        var reader = try RecordReader(bytes, format: format)
        return try Front(from: &reader, sequence: sequence).header
    }

    /// Everything in front of the body.
    private struct Front {
        let header: RecordHeader
        let priority: NotificationPriority
        let wantsReceipts: Bool
        let contentType: [UInt8]
        let headers: [NamedValue]
        let testedExpression: [UInt8]
        let anchors: [AnchorKey]

        init(
            from reader: inout RecordReader,
            sequence: UInt64
        ) throws(RecordProblem) {
            let high = try reader.integer(UInt64.self)
            let id = NotificationID(high: high, low: try reader.integer())
            let audience = try notificationFormat(try reader.integer())
            let targetKind = try reader.integer(UInt8.self)
            guard let priority = NotificationPriority(rawValue: try reader.integer()) else {
                throw .badField("priority")
            }
            self.priority = priority
            let receipts = try reader.integer(UInt8.self)
            guard receipts <= 1 else { throw .badField("receipts") }
            wantsReceipts = receipts == 1
            let seconds = try reader.integer(UInt32.self)
            let collapseKey = try reader.short()
            contentType = try reader.short()
            headers = try reader.pairs()
            let isTest = targetKind == 4
            testedExpression = isTest ? try reader.medium() : []
            guard !isTest || !testedExpression.isEmpty else { throw .badField("expression") }
            header = RecordHeader(
                sequence: sequence,
                id: id,
                format: audience,
                target: try target(kind: isTest ? 3 : targetKind, from: &reader),
                timeToLive: seconds == 0 ? .transient : .seconds(seconds),
                collapseKey: collapseKey
            )
            var anchors: [AnchorKey] = []
            for _ in 0..<(try reader.integer(UInt16.self)) {
                anchors.append(AnchorKey(raw: try reader.integer()))
            }
            self.anchors = anchors
        }
    }

    private static func notificationFormat(
        _ number: UInt8
    ) throws(RecordProblem) -> NotificationFormat {
        if number == templateFormat { return .template }
        guard let platform = Platform(rawValue: number) else { throw .badField("format") }
        return .native(platform)
    }

    private static func target(
        kind: UInt8,
        from reader: inout RecordReader
    ) throws(RecordProblem) -> NotificationTarget {
        switch kind {
        case 0: return .broadcast
        case 1:
            let source = try reader.medium()
            do throws(TagError) {
                return .tags(try TagExpression(parsing: source, limits: widestTagLimits))
            } catch { throw .badField("expression") }
        case 2:
            var handles: [[UInt8]] = []
            for _ in 0..<(try reader.integer(UInt16.self)) { handles.append(try reader.medium()) }
            return .handles(handles)
        case 3:
            var targets: [RegistrationTarget] = []
            for _ in 0..<(try reader.integer(UInt16.self)) {
                let high = try reader.integer(UInt64.self)
                let device = DeviceID(high: high, low: try reader.integer())
                targets.append(RegistrationTarget(device: device, slot: try reader.integer()))
            }
            return .slots(targets)
        default: throw .badField("target")
        }
    }

    private static func properties(
        in body: [UInt8],
        _ format: NotificationFormat
    ) throws(RecordProblem) -> PropertyBag? {
        guard format == .template else { return nil }
        do throws(PropertyBagError) {
            return try PropertyBag(json: body.span)
        } catch { throw .badField("body") }
    }

    /// Limits that allow every expression, since a stored one was accepted under limits of its
    /// time.
    private static var widestTagLimits: TagLimits {
        var limits = TagLimits()
        limits.tagBytesMax = 65_535
        limits.expressionTagsOrOnlyMax = 64
        limits.expressionTagsMixedMax = 64
        limits.expressionNestingMax = 128
        limits.expressionBytesMax = 65_535
        return limits
    }
}
