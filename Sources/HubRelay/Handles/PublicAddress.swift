/// Whether a resolved address is one of the public internet.
///
/// A name of the list may lead anywhere once it is resolved; so each of its addresses is held
/// against these ranges before a connection is made. Source: IANA's registries of special addresses.
package enum PublicAddress {
    /// Judges the 4 or 16 bytes of an address; false for any other number.
    package static func isPublic(_ bytes: [UInt8]) -> Bool {
        switch bytes.count {
        case 4: !reservedV4.contains { $0.contains(bytes) }
        case 16: isPublicV6(bytes)
        default: false
        }
    }

    private struct Range {
        let prefix: [UInt8]
        let bits: Int

        init(_ prefix: [UInt8], _ bits: Int) {
            self.prefix = prefix
            self.bits = bits
        }

        func contains(_ bytes: [UInt8]) -> Bool {
            for bit in 0..<bits {
                let mask: UInt8 = 0x80 >> UInt8(bit % 8)
                let wanted = bit / 8 < prefix.count ? prefix[bit / 8] : 0
                guard bytes[bit / 8] & mask == wanted & mask else { return false }
            }
            return true
        }
    }

    private static let reservedV4: [Range] = [
        Range([0], 8), Range([10], 8), Range([100, 64], 10), Range([127], 8),
        Range([169, 254], 16), Range([172, 16], 12), Range([192, 0, 0], 24),
        Range([192, 0, 2], 24), Range([192, 88, 99], 24), Range([192, 168], 16),
        Range([198, 18], 15), Range([198, 51, 100], 24), Range([203, 0, 113], 24),
        Range([224], 4), Range([240], 4),
    ]

    private static let reservedV6: [Range] = [
        Range([0x01, 0x00], 64), Range([0x20, 0x01, 0x00], 23),
        Range([0x20, 0x01, 0x0D, 0xB8], 32),
        Range([0x3F, 0xFF], 20), Range([0x5F, 0x00], 16), Range([0xFC], 7),
        Range([0xFE, 0x80], 10),
        Range([0xFE, 0xC0], 10), Range([0xFF], 8),
    ]

    private static func isPublicV6(_ bytes: [UInt8]) -> Bool {
        // Those that carry an IPv4 address are as good as it: NAT64, and 6to4.
        if Range([0x00, 0x64, 0xFF, 0x9B], 96).contains(bytes) {
            return isPublic(Array(bytes[12...]))
        }
        if Range([0x20, 0x02], 16).contains(bytes) { return isPublic(Array(bytes[2..<6])) }
        if Range([0x00, 0x64, 0xFF, 0x9B, 0x00, 0x01], 48).contains(bytes) { return false }
        // Unspecified, loopback, compatible and mapped addresses.
        if Range([], 80).contains(bytes) {
            guard bytes[10] == 0xFF, bytes[11] == 0xFF else { return false }
            return isPublic(Array(bytes[12...]))
        }
        return !reservedV6.contains { $0.contains(bytes) }
    }
}
