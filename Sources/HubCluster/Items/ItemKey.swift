/// The name of an item in its hub.
package struct ItemKey: Hashable, Comparable, Sendable {
    /// The kind of item.
    package let kind: ItemKind
    /// Compares byte by byte; numbers are big-endian.
    package let bytes: [UInt8]

    /// Makes a name.
    package init(_ kind: ItemKind, _ bytes: [UInt8]) {
        self.kind = kind
        self.bytes = bytes
    }

    package static func < (left: ItemKey, right: ItemKey) -> Bool {
        guard left.kind == right.kind else { return left.kind < right.kind }
        return left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
