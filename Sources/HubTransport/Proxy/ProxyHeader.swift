/// The header of a balancer in front of a stream, PROXY protocol version 2: who connected to it.
///
///     signature: 12 bytes | version, command: 4 bits each | family, protocol: 4 bits each |
///     length: u16 | source, destination, their ports | fields        big-endian
///
/// Source: www.haproxy.org/download/2.6/doc/proxy-protocol.txt, section 2.2.
package struct ProxyHeader: Hashable, Sendable {
    /// A value behind the addresses; what it means is its kind's business.
    package struct Field: Hashable, Sendable {
        /// The number of its kind; those from 0xE0 to 0xEF are for everyone's own use.
        package let kind: UInt8
        /// Its bytes.
        package let value: [UInt8]

        /// A field of its parts.
        package init(kind: UInt8, value: [UInt8]) {
            self.kind = kind
            self.value = value
        }
    }

    /// Why bytes are no header that can be used.
    package enum Fault: Error, Hashable, Sendable {
        /// They do not begin as one, or it is one of version 1, which is text.
        case signature
        /// It is of a version that is not 2.
        case version(UInt8)
        /// It says neither LOCAL nor PROXY.
        case command(UInt8)
        /// The balancer's client came by something else than TCP over IPv4 or IPv6.
        case family(UInt8)
        /// It is longer than `TransportLimits.proxyHeaderBytesMax`; so many bytes.
        case tooLong(Int)
        /// It has not so many bytes as its addresses take.
        case addresses(Int)
        /// A field goes beyond its end.
        case field(kind: UInt8)
    }

    /// The balancer's client; nil when the balancer speaks for itself, or does not know.
    package let source: SocketAddress?
    /// The values behind the addresses, in order.
    package let fields: [Field]

    private static let signature: [UInt8] = [
        0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A,
    ]
    /// With it a header begins, and no record of TLS.
    package static let firstByte: UInt8 = 0x0D
    private static let frontBytes = 16
    private static let version: UInt8 = 2
    private static let local: UInt8 = 0
    private static let proxy: UInt8 = 1
    private static let unknown: UInt8 = 0x00
    private static let ipv4: UInt8 = 0x11
    private static let ipv6: UInt8 = 0x21

    /// A header of its parts.
    package init(source: SocketAddress?, fields: [Field] = []) {
        self.source = source
        self.fields = fields
    }

    /// Reads the header at the beginning of a stream; nil while more bytes are needed.
    ///
    /// A stream that does not begin with a header is refused at the first byte that differs.
    /// - Returns: the header, and how many bytes it takes.
    package static func read(
        _ bytes: Span<UInt8>
    ) throws(Fault) -> (header: ProxyHeader, count: Int)? {
        for index in 0..<min(signature.count, bytes.count)
        where bytes[index] != signature[index] { throw .signature }
        guard bytes.count > 12 else { return nil }
        guard bytes[12] >> 4 == version else { throw .version(bytes[12] >> 4) }
        let command = bytes[12] & 0x0F
        guard command == local || command == proxy else { throw .command(command) }
        guard bytes.count > 13 else { return nil }
        // A balancer that speaks for itself may say anything here. Source: section 2.2.
        let family = command == local ? unknown : bytes[13]
        guard [unknown, ipv4, ipv6].contains(family) else { throw .family(family) }
        guard bytes.count >= frontBytes else { return nil }
        let length = Int(bytes[14]) << 8 | Int(bytes[15])
        let end = frontBytes + length
        guard end <= TransportLimits.proxyHeaderBytesMax else { throw .tooLong(end) }
        let addressBytes = addressBytes(of: family)
        guard length >= addressBytes else { throw .addresses(length) }
        guard bytes.count >= end else { return nil }
        guard family != unknown else { return (ProxyHeader(source: nil), end) }
        return (
            ProxyHeader(
                source: source(in: bytes, family: family),
                fields: try fields(bytes.extracting(frontBytes + addressBytes..<end))
            ), end
        )
    }

    /// Who the peer of a connection is on which this header came.
    ///
    /// A balancer elsewhere that names a loopback address means its own machine.
    package func peer(of connection: SocketAddress) -> SocketAddress {
        guard let source, !source.isLoopback || connection.isLoopback else { return connection }
        return source
    }

    /// The header's bytes, for a stream that goes on to `destination`.
    package func encoded(to destination: SocketAddress) -> [UInt8] {
        var bytes = Self.signature
        var body: [UInt8] = []
        var family = Self.unknown
        if let source {
            let isShort = source.isIPv4 && destination.isIPv4
            family = isShort ? Self.ipv4 : Self.ipv6
            for address in [source, destination] {
                body += address.bytes.dropFirst(isShort ? 12 : 0)
            }
            for address in [source, destination] { body += Self.bytes(address.port) }
            for field in fields {
                body += [field.kind] + Self.bytes(UInt16(field.value.count)) + field.value
            }
        }
        bytes.append(Self.version << 4 | (source == nil ? Self.local : Self.proxy))
        bytes.append(family)
        bytes += Self.bytes(UInt16(body.count)) + body
        precondition(bytes.count <= TransportLimits.proxyHeaderBytesMax, "a longer header")
        return bytes
    }

    private static func addressBytes(of family: UInt8) -> Int {
        switch family {
        case ipv4: 12
        case ipv6: 36
        default: 0
        }
    }

    private static func source(in bytes: Span<UInt8>, family: UInt8) -> SocketAddress {
        func number(_ range: Range<Int>) -> UInt64 {
            var number: UInt64 = 0
            for index in range { number = number << 8 | UInt64(bytes[index]) }
            return number
        }
        if family == ipv4 {
            return SocketAddress(
                high: 0,
                low: 0xFFFF_0000_0000 | number(16..<20),
                port: UInt16(number(24..<26))
            )
        }
        return SocketAddress(
            high: number(16..<24),
            low: number(24..<32),
            port: UInt16(number(48..<50))
        )
    }

    private static func fields(_ bytes: Span<UInt8>) throws(Fault) -> [Field] {
        var fields: [Field] = []
        var next = 0
        while next < bytes.count {
            let kind = bytes[next]
            guard bytes.count - next >= 3 else { throw .field(kind: kind) }
            let count = Int(bytes[next + 1]) << 8 | Int(bytes[next + 2])
            guard bytes.count - next - 3 >= count else { throw .field(kind: kind) }
            var value: [UInt8] = []
            value.reserveCapacity(count)
            for index in next + 3..<next + 3 + count { value.append(bytes[index]) }
            fields.append(Field(kind: kind, value: value))
            next += 3 + count
        }
        return fields
    }

    private static func bytes(_ number: UInt16) -> [UInt8] {
        [UInt8(number >> 8), UInt8(truncatingIfNeeded: number)]
    }
}
