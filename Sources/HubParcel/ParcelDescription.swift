/// The fields of a parcel, before it is coded.
package struct ParcelDescription: Sendable {
    /// The notification's id; its timestamp is where `ttlSeconds` begins.
    package var id: ParcelID
    /// Seconds, 0...2,419,200.
    package var ttlSeconds: UInt32
    /// Sender's urgency.
    package var urgency: ParcelUrgency
    /// Hint for the app.
    package var contentType: ParcelContentType
    /// At most 64 bytes; empty for none.
    package var collapseKey: [UInt8]
    /// Number of the platform, 0...8.
    ///
    /// Source: rules C.7.
    package var platform: UInt8
    /// Whether it is for template registrations.
    package var isTemplate: Bool
    /// Pass-through headers, in the order in which devices see them.
    package var headers: [ParcelHeader]
    /// Whether the sender asks for a receipt once the notification is stored.
    package var wantsStoredReceipt: Bool
    /// Whether the sender asks for receipts of what the user did.
    package var wantsUserReceipt: Bool
    /// Whether nothing is shown.
    package var isSilent: Bool
    /// At most 8,192 bytes.
    package var payload: [UInt8]

    /// Makes a description.
    package init(
        id: ParcelID,
        ttlSeconds: UInt32,
        urgency: ParcelUrgency = .normal,
        contentType: ParcelContentType = .opaque,
        collapseKey: [UInt8] = [],
        platform: UInt8,
        isTemplate: Bool = false,
        headers: [ParcelHeader] = [],
        wantsStoredReceipt: Bool = false,
        wantsUserReceipt: Bool = false,
        isSilent: Bool = false,
        payload: [UInt8]
    ) {
        self.id = id
        self.ttlSeconds = ttlSeconds
        self.urgency = urgency
        self.contentType = contentType
        self.collapseKey = collapseKey
        self.platform = platform
        self.isTemplate = isTemplate
        self.headers = headers
        self.wantsStoredReceipt = wantsStoredReceipt
        self.wantsUserReceipt = wantsUserReceipt
        self.isSilent = isSilent
        self.payload = payload
    }

    /// Why this cannot be encoded; nil when it can.
    package var fault: ParcelEncodingError? {
        if payload.count > ParcelLimits.payloadBytesMax {
            return .payloadTooLarge(bytes: payload.count)
        }
        if collapseKey.count > ParcelLimits.collapseKeyBytesMax {
            return .collapseKeyTooLong(bytes: collapseKey.count)
        }
        if ttlSeconds > ParcelLimits.ttlSecondsMax { return .ttlTooLong(seconds: ttlSeconds) }
        if platform > ParcelLimits.platformMax { return .unknownPlatform(platform) }
        for (index, header) in headers.enumerated() {
            let longest = ParcelLimits.headerFieldBytesMax
            let name = header.name
            let value = header.value
            guard (1...longest).contains(name.count), value.count <= longest,
                name.span.isPlainText, value.span.isPlainText
            else { return .headerInvalid(index: index) }
        }
        let options = optionsByteCount
        return options > ParcelLimits.optionsBytesMax ? .optionsTooLarge(bytes: options) : nil
    }

    /// Bytes of the options block, without its u16 length.
    package var optionsByteCount: Int { 4 + (headers.isEmpty ? 0 : 3 + headersByteCount) }

    /// Header, collapse key and options: everything before the payload.
    ///
    /// `fault` must be nil.
    func prefix(codec: ParcelCodec) -> [UInt8] {
        var bytes: [UInt8] = [1, 0, codec.rawValue, urgency.rawValue]
        bytes.reserveCapacity(
            ParcelLimits.headerBytes + collapseKey.count + 2 + optionsByteCount + payload.count
        )
        Self.append(UInt64(flags.rawValue), bytes: 2, to: &bytes)
        bytes.append(contentType.rawValue)
        bytes.append(UInt8(collapseKey.count))
        Self.append(id.hi, bytes: 8, to: &bytes)
        Self.append(id.lo, bytes: 8, to: &bytes)
        Self.append(UInt64(ttlSeconds), bytes: 4, to: &bytes)
        Self.append(UInt64(payload.count), bytes: 4, to: &bytes)
        bytes.append(contentsOf: collapseKey)
        Self.append(UInt64(optionsByteCount), bytes: 2, to: &bytes)
        bytes.append(contentsOf: [ParcelOption.platform, 0, 1, platform])
        guard !headers.isEmpty else { return bytes }
        bytes.append(ParcelOption.headers)
        Self.append(UInt64(headersByteCount), bytes: 2, to: &bytes)
        for header in headers {
            bytes.append(UInt8(header.name.count))
            bytes.append(contentsOf: header.name)
            bytes.append(UInt8(header.value.count))
            bytes.append(contentsOf: header.value)
        }
        return bytes
    }

    private var flags: ParcelFlags {
        var flags: ParcelFlags = .hasOptions
        if wantsStoredReceipt { flags.insert(.wantsStoredReceipt) }
        if wantsUserReceipt { flags.insert(.wantsUserReceipt) }
        if isSilent { flags.insert(.isSilent) }
        if isTemplate { flags.insert(.isTemplate) }
        return flags
    }

    private var headersByteCount: Int {
        headers.reduce(0) { $0 + 2 + $1.name.count + $1.value.count }
    }

    private static func append(_ value: UInt64, bytes count: Int, to bytes: inout [UInt8]) {
        for shift in stride(from: (count - 1) * 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }
}
