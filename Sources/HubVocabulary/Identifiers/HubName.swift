import HubWire

/// A hub's name, of at most `bytesMax` characters, compared in lower case.
///
/// Source: rules A.1.
package struct HubName: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Bytes at most: what HELLO can hold.
    ///
    /// No device could reach a hub with a longer name.
    package static let bytesMax = WireLimits.hubNameBytesMax

    /// Lower case; safe as a folder name.
    package let description: String

    /// Folds and checks a name.
    ///
    /// It has letters, digits, `.`, `_` and `-`, does not begin with a dot, and has 1 to `bytesMax`
    /// bytes; nil otherwise.
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
