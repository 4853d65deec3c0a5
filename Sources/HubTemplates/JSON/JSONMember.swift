/// A name in an object and what stands behind it.
package struct JSONMember: Equatable, Sendable {
    /// UTF-8, escapes decoded.
    package var name: [UInt8]
    /// The value under this name.
    package var value: JSONTree

    /// Makes a member.
    package init(_ name: [UInt8], _ value: JSONTree) {
        self.name = name
        self.value = value
    }

    /// Makes a member with a fixed word as its name.
    package init(_ name: String, _ value: JSONTree) { self.init(Array(name.utf8), value) }
}
