import Crypto

extension DeviceID {
    /// A new, unguessable id; never `none`.
    package static func make(random: inout some RandomNumberGenerator) -> DeviceID {
        while true {
            let id = DeviceID(high: random.next(), low: random.next())
            if id != .none { return id }
        }
    }

    /// The id of a device with a client certificate: SHA-256 of its public key's DER
    /// (SubjectPublicKeyInfo), first 16 bytes.
    ///
    /// Source: rules C.2.
    package init(publicKey: [UInt8]) {
        let digest = Array(SHA256.hash(data: publicKey))
        self.init(high: UInt64(bigEndian: digest), low: UInt64(bigEndian: digest.dropFirst(8)))
    }

    /// The 16 bytes, big-endian.
    package var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.appendBigEndian(high)
        bytes.appendBigEndian(low)
        return bytes
    }
}

/// Makes notification ids in ascending order of time, however the clock steps.
///
/// UUIDv7: 48 bits of milliseconds, version 7, 12 random bits, variant, 62 random bits.
/// Id time is max(last + 1 ms, now). Source: rules A.8.
package struct NotificationIDMaker: Sendable {
    /// Time of the last id made; 0 before the first.
    package private(set) var last: Timestamp

    /// Goes on behind the newest id of the log; pass 0 for an empty log.
    package init(last: Timestamp = Timestamp(milliseconds: 0)) { self.last = last }

    /// The next id.
    package mutating func make(
        now: Timestamp,
        random: inout some RandomNumberGenerator
    ) -> NotificationID {
        let time = max(last.milliseconds + 1, now.milliseconds) & 0xFFFF_FFFF_FFFF
        last = Timestamp(milliseconds: time)
        let high = time << 16 | 0x7000 | random.next() & 0x0FFF
        let low = 0x8000_0000_0000_0000 | random.next() >> 2
        return NotificationID(high: high, low: low)
    }
}

extension NotificationID {
    /// 32 lower-case hex digits: how REST and logs name it.
    package var text: String {
        var bytes: [UInt8] = []
        bytes.appendBigEndian(high)
        bytes.appendBigEndian(low)
        return String(decoding: HexText.encode(bytes).map(ASCII.lower), as: UTF8.self)
    }

    /// Reads 32 hex digits in either case; nil when the text is anything else.
    package init?(text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 32, let bytes = HexText.decode(digits.span) else { return nil }
        self.init(high: UInt64(bigEndian: bytes), low: UInt64(bigEndian: bytes.dropFirst(8)))
    }
}

/// External registration ids: `digits-digits-digit`.
///
/// Source: REST reference §4.2.
package enum RegistrationID {
    /// Bytes of an id that a client may bring along.
    package static let byteCountMax = 64

    /// A new id: two random 63-bit numbers and the partition, which is always 1.
    package static func make(random: inout some RandomNumberGenerator) -> [UInt8] {
        let first: UInt64 = random.next() >> 1
        let second: UInt64 = random.next() >> 1
        return Array("\(first)-\(second)-1".utf8)
    }

    /// Whether a text has the form of an id: three groups of digits joined by `-`, at most 64
    /// bytes.
    package static func isWellFormed(_ text: [UInt8]) -> Bool {
        guard text.count <= byteCountMax else { return false }
        let groups = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        return groups.count == 3
            && groups.allSatisfy { !$0.isEmpty && $0.allSatisfy(ASCII.isDigit) }
    }
}
