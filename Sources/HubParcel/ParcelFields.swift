/// The id of a notification as the parcel carries it: a UUIDv7 in two big-endian halves.
package struct ParcelID: Hashable, Sendable {
    /// Bytes 0..7; the upper 48 bits are milliseconds since 1970.
    package var hi: UInt64
    /// Bytes 8..15.
    package var lo: UInt64

    /// Makes an id of its halves.
    package init(hi: UInt64, lo: UInt64) {
        self.hi = hi
        self.lo = lo
    }

    /// When the notification was accepted, in milliseconds since 1970.
    package var timestampMilliseconds: UInt64 { hi >> 16 }

    /// Reads the id of any parcel, even of one that is otherwise undecodable.
    ///
    /// Source: [P-2].
    ///
    /// Nil when there are fewer than 24 bytes.
    package init?(ofParcel bytes: Span<UInt8>) {
        guard bytes.count >= 24 else { return nil }
        var hi: UInt64 = 0
        var lo: UInt64 = 0
        for index in 8..<16 { hi = hi << 8 | UInt64(bytes[index]) }
        for index in 16..<24 { lo = lo << 8 | UInt64(bytes[index]) }
        self.init(hi: hi, lo: lo)
    }
}

/// How eagerly a device should treat a notification; never reorders.
///
/// Source: Protocol/parcels.md.
package enum ParcelUrgency: UInt8, CaseIterable, Sendable {
    case veryLow = 0
    case low = 1
    case normal = 2
    case high = 3
}

/// What the payload is, as a hint for the app; the hub delivers the bytes unchanged.
package enum ParcelContentType: UInt8, CaseIterable, Sendable {
    /// Bytes only the app understands.
    case opaque = 0
    /// A JSON document.
    case json = 1
    /// UTF-8 text.
    case text = 2
    /// JSON with an `aps` member. (3 is reserved.)
    case appleJSON = 4
    /// JSON in the form of GCM or FCM.
    case firebaseJSON = 5
    /// An XML document.
    case xml = 6
}

/// How the payload is coded.
///
/// Source: [P-5].
package enum ParcelCodec: UInt8, CaseIterable, Sendable {
    /// As it is.
    case identity = 0
    /// Raw deflate.
    case deflate = 1
    /// Raw deflate with the well-known dictionary 1. (3 is reserved: `DICT_UNKNOWN`.)
    case wellKnownDictionary = 2
}

/// The u16 of flags at offset 4: the low byte is critical, the high byte advisory.
///
/// Source: [P-4].
package struct ParcelFlags: OptionSet, Sendable {
    /// All sixteen bits.
    package let rawValue: UInt16

    /// Takes the bits as they are.
    package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// An options block follows the collapse key.
    package static let hasOptions = ParcelFlags(rawValue: 0x0001)
    /// The sender asks for a receipt when the device has stored the notification.
    package static let wantsStoredReceipt = ParcelFlags(rawValue: 0x0004)
    /// The sender asks for receipts of what the user did.
    package static let wantsUserReceipt = ParcelFlags(rawValue: 0x0008)
    /// Nothing is shown; the app works in the background.
    package static let isSilent = ParcelFlags(rawValue: 0x0020)
    /// Advisory: a template registration got it; otherwise a native one.
    package static let isTemplate = ParcelFlags(rawValue: 0x0100)

    /// Critical bits that version 1 defines; any other critical bit makes a parcel undecodable.
    static let definedCritical: UInt16 = 0x0001 | 0x0004 | 0x0008 | 0x0020
    /// The critical half.
    static let critical: UInt16 = 0x00FF
}

/// A header of the send that travels to the device, such as `apns-push-type`.
package struct ParcelHeader: Hashable, Sendable {
    /// 1...255 bytes.
    package var name: [UInt8]
    /// 0...255 bytes.
    package var value: [UInt8]

    /// Makes a header.
    package init(name: [UInt8], value: [UInt8]) {
        self.name = name
        self.value = value
    }
}

/// Option ids; from 0x80 an unknown id is ignored, below it is refused.
///
/// Source: [P-6].
enum ParcelOption {
    /// u8 platform.
    static let platform: UInt8 = 0x80
    /// n x { str8 name, str8 value }.
    static let headers: UInt8 = 0x81
    /// Ids below this one are critical.
    static let firstAdvisory: UInt8 = 0x80
}
