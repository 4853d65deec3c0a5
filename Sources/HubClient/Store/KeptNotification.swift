import HubParcel
package import HubVocabulary
import HubWire

/// A stored notification to and from bytes.
///
///     u8 format | u64 number | 16 id | u64 sequence | u16 slot | u8 platform, 0xFF none | u8 flags
///     u8 urgency | u8 content type | u64 received at | u32 wire bytes | u32 payload bytes
///     long collapse key | u32 count x (long name, long value) | u32 count x long tag | long payload
package enum KeptNotification {
    private static let format: UInt8 = 1
    private static let platformNone: UInt8 = 0xFF

    private struct Flags: OptionSet {
        let rawValue: UInt8
        static let template = Flags(rawValue: 0x01)
        static let silent = Flags(rawValue: 0x02)
        static let redelivered = Flags(rawValue: 0x04)
        static let wantsReceipt = Flags(rawValue: 0x08)
    }

    /// The bytes of a notification; it must have a place in the log.
    package static func encode(_ notification: ReceivedNotification) -> [UInt8] {
        var writer = RecordWriter(format: format, capacity: 128 + notification.payload.count)
        writer.integer(notification.number)
        writer.integer(notification.id.high)
        writer.integer(notification.id.low)
        writer.integer(notification.sequence ?? 0)
        writer.integer(notification.slot)
        writer.integer(notification.platform?.rawValue ?? platformNone)
        var flags: Flags = []
        if notification.isTemplate { flags.insert(.template) }
        if notification.isSilent { flags.insert(.silent) }
        if notification.isRedelivered { flags.insert(.redelivered) }
        if notification.wantsUserReceipt { flags.insert(.wantsReceipt) }
        writer.integer(flags.rawValue)
        writer.integer(notification.urgency.rawValue)
        writer.integer(notification.contentType.rawValue)
        writer.integer(notification.receivedAtMilliseconds)
        writer.integer(UInt32(clamping: notification.wireBytes))
        writer.integer(UInt32(clamping: notification.payloadBytes))
        writer.long(notification.collapseKey.utf8)
        writer.integer(UInt32(notification.headers.count))
        for header in notification.headers {
            writer.long(header.name.utf8)
            writer.long(header.value.utf8)
        }
        writer.integer(UInt32(notification.tags.count))
        for tag in notification.tags { writer.long(tag.utf8) }
        writer.long(notification.payload)
        return writer.bytes
    }

    /// Reads a notification.
    package static func decode(
        _ bytes: Span<UInt8>
    ) throws(RecordProblem) -> ReceivedNotification {
        var reader = try RecordReader(bytes, format: format)
        let number = try reader.integer(UInt64.self)
        let high = try reader.integer(UInt64.self)
        let id = ID16(high: high, low: try reader.integer())
        let sequence = try reader.integer(UInt64.self)
        let slot = try reader.integer(UInt16.self)
        let platform = try reader.integer(UInt8.self)
        let flags = Flags(rawValue: try reader.integer())
        guard let urgency = ParcelUrgency(rawValue: try reader.integer()),
            let contentType = ParcelContentType(rawValue: try reader.integer())
        else { throw .badField("urgency or content type") }
        let receivedAt = try reader.integer(UInt64.self)
        let wireBytes = try reader.integer(UInt32.self)
        var notification = ReceivedNotification(
            id: id,
            sequence: sequence,
            slot: slot,
            payloadBytes: Int(try reader.integer(UInt32.self)),
            wireBytes: Int(wireBytes),
            receivedAtMilliseconds: receivedAt
        )
        notification.number = number
        if platform != platformNone {
            guard let known = Platform(rawValue: platform) else {
                throw .badField("platform")
            }
            notification.platform = known
        }
        notification.isTemplate = flags.contains(.template)
        notification.isSilent = flags.contains(.silent)
        notification.isRedelivered = flags.contains(.redelivered)
        notification.wantsUserReceipt = flags.contains(.wantsReceipt)
        notification.urgency = urgency
        notification.contentType = contentType
        notification.collapseKey = String(decoding: try reader.long(), as: UTF8.self)
        for _ in 0..<(try reader.integer(UInt32.self)) {
            let name = String(decoding: try reader.long(), as: UTF8.self)
            let value = String(decoding: try reader.long(), as: UTF8.self)
            notification.headers.append(.init(name: name, value: value))
        }
        for _ in 0..<(try reader.integer(UInt32.self)) {
            notification.tags.append(String(decoding: try reader.long(), as: UTF8.self))
        }
        notification.payload = try reader.long()
        try reader.expectEnd()
        return notification
    }
}
