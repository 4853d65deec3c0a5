/// One element of a parsed body: its name without prefix and what it holds.
package struct XMLNode {
    /// The local name.
    var name: String
    /// Attributes by name without prefix.
    var attributes: [String: String]
    /// Character data of the element itself, CDATA included, untrimmed.
    var text = ""
    /// Child elements in order.
    var children: [XMLNode] = []

    /// The first child with a name.
    func child(_ name: String) -> XMLNode? { children.first { $0.name == name } }

    /// Whether the element counts as absent: `nil="true"` or nothing but blanks in it.
    ///
    /// Source: REST §4.11.
    var isAbsent: Bool {
        isNil || (children.isEmpty && text.allSatisfy(\.isWhitespace))
    }

    /// Whether the element says `nil="true"`.
    var isNil: Bool { attributes["nil"] == "true" || attributes["nil"] == "1" }
}
