/// A part of a request besides its body.
package struct InputNote: Sendable {
    /// Where it stands; raw values are OpenAPI's.
    package enum Place: String, Sendable {
        case path
        case query
        case header
    }

    /// Where it stands.
    package let place: Place
    /// As clients write it.
    package let name: String
    /// One or two sentences.
    package let text: String
    /// Its form.
    package let form: ValueForm

    /// Describes a part of the path.
    static func path(_ name: String, _ text: String, _ form: ValueForm = .text) -> InputNote {
        InputNote(place: .path, name: name, text: text, form: form)
    }

    /// Describes a query field.
    static func query(_ name: String, _ text: String, _ form: ValueForm = .text) -> InputNote {
        InputNote(place: .query, name: name, text: text, form: form)
    }

    /// Describes a header.
    static func header(_ name: String, _ text: String, _ form: ValueForm = .text) -> InputNote {
        InputNote(place: .header, name: name, text: text, form: form)
    }
}
