/// The properties that a rendering may use; those of the send come first.
struct TemplateProperties {
    let bag: PropertyBag
    let variables: PropertyBag?
    /// The characters of properties that were cut, by name.
    private(set) var characters: [[UInt8]: CharacterEnds] = [:]

    init(bag: PropertyBag, variables: PropertyBag?) {
        self.bag = bag
        self.variables = variables
    }

    func value(of property: TemplateExpression.Property) -> ArraySlice<UInt8> {
        known(property.name) ?? property.fallback.map { $0[...] } ?? []
    }

    /// The first `length` characters of a property; nil when it has no more than that.
    ///
    /// A property's characters are counted once: a body can hold a thousand expressions, and each
    /// may cut the same 64 KB. Values that begin with ASCII cost no decoding.
    mutating func cut(
        _ property: TemplateExpression.Property,
        to length: Int
    ) -> ArraySlice<UInt8>? {
        let value = value(of: property)
        guard value.count > length else { return nil }
        // Between two ASCII bytes there is a boundary, but for CR LF.
        let isPlain = value.prefix(length + 1).allSatisfy { $0 < 0x80 && $0 != 0x0D }
        if length == 0 || isPlain { return value.prefix(length) }
        guard known(property.name) != nil else {
            // A fallback belongs to its own expression alone.
            var ends = CharacterEnds(of: value)
            return ends.cut(to: length)
        }
        return characters[property.name, default: CharacterEnds(of: value)].cut(to: length)
    }

    private func known(_ name: [UInt8]) -> ArraySlice<UInt8>? {
        bag.value(ofFolded: name) ?? variables?.value(ofFolded: name)
    }
}
