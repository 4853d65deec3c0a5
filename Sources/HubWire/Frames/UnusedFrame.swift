/// A frame of a type that this version does not use.
///
/// Hub and device send one now and then, so that nobody's decoder forgets to pass over what it does
/// not know, and later versions can add types. Source: Protocol V-4.
package enum UnusedFrame {
    /// Types from here on are unused.
    package static let typeFirst: UInt8 = 0xC0
    /// Bytes of a body, at most.
    package static let bodyBytesMax = 15

    /// Appends a frame whose type, advisory flags, ref and body come from `random`.
    package static func encode(_ random: UInt64, into bytes: inout [UInt8]) {
        let count = Int(random >> 24) & bodyBytesMax
        bytes.append(typeFirst | UInt8(truncatingIfNeeded: random & 0x3F))
        bytes.append(UInt8(truncatingIfNeeded: random >> 8) & 0xF0)
        bytes.appendInteger(UInt16(truncatingIfNeeded: random >> 32))
        bytes.appendInteger(UInt32(truncatingIfNeeded: count))
        for index in 0..<count {
            bytes.append(UInt8(truncatingIfNeeded: random >> (16 + 3 * UInt64(index))))
        }
    }
}

extension Capabilities {
    /// One of the upper bits, which no version uses; for HELLO.
    ///
    /// Source: Protocol V-4.
    package static func unused(_ random: UInt64) -> Capabilities {
        Capabilities(rawValue: 1 << (32 + random % 32))
    }
}
