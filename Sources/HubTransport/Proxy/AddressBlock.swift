/// The addresses that begin with the same bits: one address, or a network in CIDR's notation.
package struct AddressBlock: Hashable, Sendable {
    private let first: SocketAddress
    /// The bits of 128 that all of its addresses have in common.
    private let bits: Int
    private let text: String

    /// Parses `10.0.0.1`, `10.0.0.0/8`, `fd00::1` or `fd00::/8`; never asks a resolver.
    ///
    /// - Throws: `.networkInvalid`, also for an address with bits behind the network's.
    package init(_ text: String) throws(TransportError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count <= 2,
            // The text is refused as a whole.
            let address = try? SocketAddress(numeric: String(parts[0]), port: 0)
        else { throw .networkInvalid(text) }
        let most = address.isIPv4 ? 32 : 128
        var length = most
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let given = Int(parts[1]), given <= most
            else { throw .networkInvalid(text) }
            length = given
        }
        bits = 128 - most + length
        first = address
        self.text = text
        let isWhole =
            address.high & ~Self.mask(bits) == 0 && address.low & ~Self.mask(bits - 64) == 0
        guard isWhole else { throw .networkInvalid(text) }
    }

    /// Whether an address is one of these.
    package func contains(_ address: SocketAddress) -> Bool {
        (address.high ^ first.high) & Self.mask(bits) == 0
            && (address.low ^ first.low) & Self.mask(bits - 64) == 0
    }

    /// The first so many bits of 64.
    private static func mask(_ bits: Int) -> UInt64 {
        bits <= 0 ? 0 : bits >= 64 ? .max : ~(.max >> UInt64(bits))
    }
}

extension AddressBlock: CustomStringConvertible {
    /// As it was given.
    package var description: String { text }
}
