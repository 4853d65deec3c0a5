import HubWire

/// A hub's name: 1...`bytesMax` characters, compared in lower case.
///
/// Source: rules A.1.
package struct HubName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Bytes at most: what HELLO can hold. A longer name could be reached by no device.
    package static let bytesMax = WireLimits.hubNameBytesMax

    /// Lower case; safe as a folder name.
    package let description: String

    /// Folds and checks a name: letters, digits, `.`, `_` and `-`, not beginning with a dot;
    /// 1...`bytesMax` bytes.
    ///
    /// nil when it is none.
    package init?(_ text: String) {
        let folded = text.lowercased()
        let allowed = folded.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
                || byte == UInt8(ascii: "-")
        }
        guard allowed, (1...Self.bytesMax).contains(folded.utf8.count),
            folded.utf8.first != UInt8(ascii: ".")
        else { return nil }
        description = folded
    }

    package static func < (left: HubName, right: HubName) -> Bool {
        left.description < right.description
    }
}
