/// A parcel whose header and options have been checked; everything variable borrows the bytes.
///
///     0 u8 layout 1 | u8 kind 0 | u8 codec | u8 urgency | u16 flags | u8 content_type
///     7 u8 collapse_len | id16 id | u32 ttl_s | u32 raw_len
///     32 collapse key | [u16 length, options] | payload to the end          [P-1]
///
/// The payload is not inflated here: see `ParcelInflater`.
package struct ParcelView: ~Escapable {
    /// How `codedPayload` is coded.
    package let codec: ParcelCodec
    /// Sender's urgency.
    package let urgency: ParcelUrgency
    /// All flag bits as received, unknown advisory ones included.
    package let flags: ParcelFlags
    /// Hint for the app.
    package let contentType: ParcelContentType
    /// The notification's id.
    package let id: ParcelID
    /// Seconds after the id's timestamp, at most `ParcelLimits.ttlSecondsMax`.
    package let ttlSeconds: UInt32
    /// Payload bytes after inflating, as claimed by the parcel.
    package let rawLength: UInt32
    /// Empty for none.
    package let collapseKey: Span<UInt8>
    /// The platform whose registration got the parcel (rules C.7); nil when it was not said.
    package let platform: UInt8?
    /// The payload as coded.
    package let codedPayload: Span<UInt8>

    private let bytes: Span<UInt8>
    private let headerRange: Range<Int>

    /// Checks everything but the payload, in the order of [P-3]: the first violation decides.
    ///
    /// - Throws: `.badParcel`; `.unknownDictionary` for codec 3.
    @_lifetime(copy bytes)
    package init(decoding bytes: Span<UInt8>) throws(ParcelError) {
        guard bytes.count >= ParcelLimits.headerBytes else { throw .badParcel }
        var reader = ParcelReader(bytes)
        guard try reader.readUInt8() == 1, try reader.readUInt8() == 0 else { throw .badParcel }
        let codecNumber = try reader.readUInt8()
        guard codecNumber != 3 else { throw .unknownDictionary }
        guard
            let codec = ParcelCodec(rawValue: codecNumber),
            let urgency = ParcelUrgency(rawValue: try reader.readUInt8())
        else { throw .badParcel }
        let flags = ParcelFlags(rawValue: try reader.readUInt16())
        guard flags.rawValue & ParcelFlags.critical & ~ParcelFlags.definedCritical == 0,
            let contentType = ParcelContentType(rawValue: try reader.readUInt8())
        else { throw .badParcel }
        let collapseLength = Int(try reader.readUInt8())
        guard collapseLength <= ParcelLimits.collapseKeyBytesMax else { throw .badParcel }
        self.id = ParcelID(hi: try reader.readUInt64(), lo: try reader.readUInt64())
        self.ttlSeconds = try reader.readUInt32()
        guard ttlSeconds <= ParcelLimits.ttlSecondsMax else { throw .badParcel }
        self.rawLength = try reader.readUInt32()
        let collapseRange = try reader.readRange(collapseLength)
        var options = ParcelOptions()
        if flags.contains(.hasOptions) {
            let length = Int(try reader.readUInt16())
            guard length <= ParcelLimits.optionsBytesMax else { throw .badParcel }
            options = try ParcelOptions(decoding: bytes, in: try reader.readRange(length))
        }
        let payload = bytes.extracting(reader.offset..<bytes.count)
        guard codec != .identity || payload.count == Int(rawLength) else { throw .badParcel }
        self.codec = codec
        self.urgency = urgency
        self.flags = flags
        self.contentType = contentType
        self.collapseKey = bytes.extracting(collapseRange)
        self.platform = options.platform
        self.headerRange = options.headers
        self.codedPayload = payload
        self.bytes = bytes
    }

    /// When the notification stops being worth showing, in milliseconds since 1970.
    ///
    /// Source: [P-7].
    package var expiresAtMilliseconds: UInt64 {
        id.timestampMilliseconds + UInt64(ttlSeconds) * 1_000
    }

    /// Whether a template registration got it.
    package var isTemplate: Bool { flags.contains(.isTemplate) }

    /// Whether nothing is shown.
    package var isSilent: Bool { flags.contains(.isSilent) }

    /// Whether the sender asks for a receipt once the notification is stored.
    package var wantsStoredReceipt: Bool { flags.contains(.wantsStoredReceipt) }

    /// Whether the sender asks for receipts of what the user did.
    package var wantsUserReceipt: Bool { flags.contains(.wantsUserReceipt) }

    /// The pass-through headers, copied, in the order of the parcel.
    package func headers() -> [ParcelHeader] {
        var headers: [ParcelHeader] = []
        var offset = headerRange.lowerBound
        while offset < headerRange.upperBound {
            let name = field(at: &offset)
            headers.append(ParcelHeader(name: name, value: field(at: &offset)))
        }
        return headers
    }

    /// Copies a length-prefixed field that `ParcelOptions` has already checked.
    private func field(at offset: inout Int) -> [UInt8] {
        let start = offset + 1
        offset = start + Int(bytes[offset])
        return bytes.extracting(start..<offset).copied()
    }
}

/// The decoded options block of a parcel.
struct ParcelOptions {
    var platform: UInt8?
    /// Positions of the headers option's value in the parcel.
    var headers = 0..<0

    init() {}

    /// Checks the block at `range`: ids ascend, lengths fit, known values are legal.
    ///
    /// Source: [P-6].
    init(decoding bytes: Span<UInt8>, in range: Range<Int>) throws(ParcelError) {
        var reader = ParcelReader(bytes.extracting(range))
        var previous = -1
        while reader.remaining > 0 {
            let id = try reader.readUInt8()
            guard Int(id) > previous else { throw .badParcel }
            previous = Int(id)
            let local = try reader.readRange(Int(try reader.readUInt16()))
            let start = range.lowerBound
            let value = start + local.lowerBound..<start + local.upperBound
            switch id {
            case ParcelOption.platform:
                guard value.count == 1, bytes[value.lowerBound] <= ParcelLimits.platformMax
                else { throw .badParcel }
                platform = bytes[value.lowerBound]
            case ParcelOption.headers:
                try Self.checkHeaders(bytes.extracting(value))
                headers = value
            default:
                guard id >= ParcelOption.firstAdvisory else { throw .badParcel }
            }
        }
    }

    private static func checkHeaders(_ value: Span<UInt8>) throws(ParcelError) {
        var reader = ParcelReader(value)
        while reader.remaining > 0 {
            let name = try reader.readRange(Int(try reader.readUInt8()))
            let text = try reader.readRange(Int(try reader.readUInt8()))
            guard !name.isEmpty, value.extracting(name).isPlainText,
                value.extracting(text).isPlainText
            else { throw .badParcel }
        }
    }
}
