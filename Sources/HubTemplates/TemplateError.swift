/// Why a template is refused, and where.
package struct TemplateError: Error, Hashable, Sendable {
    /// The part of the registration that is wrong.
    package enum Place: Hashable, Sendable {
        case body
        case expiry
        case priority
        /// A header, by name.
        case header(String)
    }

    /// The part that is wrong.
    package var place: Place
    /// Byte offset into that part.
    ///
    /// Where the value holds escapes or entities, the offset of the value's first byte.
    package var offset: Int
    /// JSON path (`aps.alert[0]`) or element and attribute (`text@id`); empty outside of values.
    package var path: String
    /// The kind of mistake.
    package var fault: TemplateFault

    /// Makes an error.
    package init(place: Place = .body, offset: Int = 0, path: String = "", fault: TemplateFault) {
        self.place = place
        self.offset = offset
        self.path = path
        self.fault = fault
    }

    /// The name of the field, as the REST API spells it.
    package var field: String {
        switch place {
        case .body: "BodyTemplate"
        case .expiry: "Expiry"
        case .priority: "Priority"
        case .header(let name): "header '\(name)'"
        }
    }

    /// A sentence for the caller: the reason and the position, without the value.
    package var reason: String {
        let place = path.isEmpty ? "at byte \(offset)" : "in '\(path)', at byte \(offset)"
        return "\(fault.reason) (\(place))"
    }
}
