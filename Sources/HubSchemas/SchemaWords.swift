/// The words that schemas are made of.
package protocol SchemaWords {}

extension SchemaWords {
    static var text: DocumentValue { ["type": "string"] }
    static var time: DocumentValue { ["type": "string", "format": "date-time"] }
    static var flag: DocumentValue { ["type": "boolean"] }
    static var whole: DocumentValue { ["type": "integer"] }
    static var count: DocumentValue { ["type": "integer", "minimum": 0] }

    /// An object of these members, and maybe of others.
    static func object(
        _ required: [String: DocumentValue] = [:],
        optional: [String: DocumentValue] = [:]
    ) -> DocumentValue {
        var schema: [String: DocumentValue] = [
            "type": "object", "properties": .object(required.merging(optional) { one, _ in one }),
        ]
        if !required.isEmpty {
            schema["required"] = .list(required.keys.sorted().map { .text($0) })
        }
        return .object(schema)
    }

    /// An object of these members and no others.
    static func closed(
        _ required: [String: DocumentValue],
        optional: [String: DocumentValue] = [:]
    ) -> DocumentValue {
        object(required, optional: optional).adding(["additionalProperties": false])
    }

    static func list(_ items: DocumentValue) -> DocumentValue {
        ["type": "array", "items": items]
    }

    /// A page of a list, which names the next one.
    static func page(_ name: String, of entry: DocumentValue) -> DocumentValue {
        closed(
            [name: list(entry)],
            optional: ["continuationToken": text.noting("Absent on the last page.")]
        )
    }

    /// Returns a reference to the schema with this name.
    package static func reference(_ name: String) -> DocumentValue {
        ["$ref": .text("#/components/schemas/\(name)")]
    }
}

extension DocumentValue {
    /// The same schema with a description.
    func noting(_ description: String) -> DocumentValue {
        adding(["description": .text(description)])
    }
}
