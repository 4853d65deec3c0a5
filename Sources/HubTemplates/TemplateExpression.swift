/// A parsed expression: parts whose texts are joined.
///
/// Source: REST reference §7.3.
struct TemplateExpression: Hashable, Sendable {
    /// One part.
    enum Token: Hashable, Sendable {
        /// Quoted text.
        case literal([UInt8])
        /// A property, transformed.
        case property(Property)
    }

    /// `$(…)`, `.(…)`, `%(…)` or `#(…)`.
    struct Property: Hashable, Sendable {
        /// Lower case.
        var name: [UInt8]
        /// For a missing property; nil means empty.
        var fallback: [UInt8]?
        var transform: Transform
    }

    /// How an expression changes a property's text.
    enum Transform: Hashable, Sendable {
        /// `$(p)`.
        case none
        /// `$(p, n)`: at most n characters.
        case cut(Int)
        /// `.(p, n)`: at most n characters, the last three being dots when it was cut.
        case cutWithDots(Int)
        /// `%(p)`: percent-encoded but for unreserved characters.
        case percent
        /// `#(p)`: a JSON number when it looks like one.
        case number
    }

    var tokens: [Token] = []

    /// The property of a lone `#(p)`.
    var number: Property? {
        guard case .property(let property)? = tokens.first, property.transform == .number
        else { return nil }
        return property
    }

    /// Whether a leaf value is an expression, by its first character alone.
    static func begins(_ value: some Collection<UInt8>) -> Bool {
        switch value.first {
        case UInt8(ascii: "$"), UInt8(ascii: "."), UInt8(ascii: "%"), UInt8(ascii: "#"),
            UInt8(ascii: "{"):
            true
        default: false
        }
    }
}
