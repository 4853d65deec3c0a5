/// The name for which a TLS client asks, in the first record of its stream.
///
///     record:    type: u8 | version: u16 | length: u16
///     handshake: type: u8 | length: u24 | version: u16 | random: 32 bytes | session: u8 length |
///                suites: u16 length | compressions: u8 length | extensions: u16 length
///     extension: type: u16 | length: u16                            big-endian
///
/// Source: RFC 8446, sections 4.1.2 and 5.1; RFC 6066, section 3.
package enum ClientHello {
    /// The answer of bytes.
    package enum Asked: Hashable, Sendable {
        /// More bytes are needed.
        case unknown
        /// They are no hello in one record, or it names nothing.
        case nothing
        /// It asks for this name.
        case name(String)
    }

    /// With it a record of a handshake begins.
    package static let firstByte: UInt8 = 0x16
    /// The first record at most, with its head.
    package static let bytesMax = headBytes + 16_384
    private static let headBytes = 5
    private static let hello = 1
    private static let serverName = 0
    private static let hostName = 0

    /// The name that the first bytes of a stream ask for.
    package static func asked(_ bytes: Span<UInt8>) -> Asked {
        guard bytes.count >= headBytes else {
            return bytes.count > 0 && bytes[0] != firstByte ? .nothing : .unknown
        }
        guard bytes[0] == firstByte, bytes[1] == 3 else { return .nothing }
        let end = headBytes + (Int(bytes[3]) << 8 | Int(bytes[4]))
        guard end <= bytesMax else { return .nothing }
        guard bytes.count >= end else { return .unknown }
        return name(bytes.extracting(headBytes..<end)).map(Asked.name) ?? .nothing
    }

    private static func name(_ bytes: Span<UInt8>) -> String? {
        var next = 0
        guard number(bytes, &next, 1) == hello, number(bytes, &next, 3) != nil else { return nil }
        // Version and random number.
        next += 34
        for lengthBytes in [1, 2, 1] {
            guard let length = number(bytes, &next, lengthBytes) else { return nil }
            next += length
        }
        guard let length = number(bytes, &next, 2), next + length <= bytes.count else {
            return nil
        }
        let end = next + length
        while let kind = number(bytes, &next, 2), let length = number(bytes, &next, 2),
            next + length <= end
        {
            if kind == serverName {
                return name(inList: bytes.extracting(next..<next + length))
            }
            next += length
        }
        return nil
    }

    /// The first name of a list, which is the only one of its kind.
    private static func name(inList bytes: Span<UInt8>) -> String? {
        var next = 0
        guard number(bytes, &next, 2) != nil, number(bytes, &next, 1) == hostName,
            let length = number(bytes, &next, 2), next + length <= bytes.count
        else { return nil }
        var name: [UInt8] = []
        for index in next..<next + length { name.append(bytes[index]) }
        return String(decoding: name, as: UTF8.self)
    }

    /// The number in so many bytes, which are passed; nil where they are not all there.
    private static func number(_ bytes: Span<UInt8>, _ next: inout Int, _ count: Int) -> Int? {
        guard next + count <= bytes.count else { return nil }
        var number = 0
        for index in next..<next + count { number = number << 8 | Int(bytes[index]) }
        next += count
        return number
    }
}
