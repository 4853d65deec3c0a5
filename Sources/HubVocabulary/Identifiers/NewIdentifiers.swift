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

extension NotificationID {
    /// 32 lower-case hex digits: how REST and logs name it.
    package var text: String {
        var bytes: [UInt8] = []
        bytes.appendBigEndian(high)
        bytes.appendBigEndian(low)
        return HexText.lowercase(bytes)
    }

    /// Reads 32 hex digits in either case; nil when the text is anything else.
    package init?(text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 32, let bytes = HexText.decode(digits.span) else { return nil }
        self.init(high: UInt64(bigEndian: bytes), low: UInt64(bigEndian: bytes.dropFirst(8)))
    }
}
