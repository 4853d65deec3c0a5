package import HubVocabulary

/// The members of one description, each at most once, by local name.
package struct XMLMembers {
    private var nodes: [String: XMLNode] = [:]

    /// The members of an element.
    ///
    /// - Throws: `.invalid` naming a member that appears more than once.
    package init(_ parent: XMLNode) throws(Refusal) {
        for child in parent.children {
            guard nodes.updateValue(child, forKey: child.name) == nil else {
                throw .invalid(field: child.name, reason: "appears more than once.")
            }
        }
    }

    /// A member that is there and neither nil nor empty.
    func node(_ name: String) -> XMLNode? {
        nodes[name].flatMap { $0.isAbsent ? nil : $0 }
    }

    /// A member's text as given; empty when absent.
    func text(_ name: String) -> [UInt8] { node(name).map { Array($0.text.utf8) } ?? [] }

    /// A member's text without blanks at both ends; empty when absent.
    package func trimmed(_ name: String) -> [UInt8] { TextTrimming.trimmed(text(name)) }
}
