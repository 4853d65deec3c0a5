import HubSchemas

extension InputNote {
    /// As a parameter object.
    var document: DocumentValue {
        var members: [String: DocumentValue] = [
            "name": .text(name), "in": .text(place.rawValue), "description": .text(text),
            "required": .flag(place == .path), "schema": form.schema,
        ]
        if form == .flag { members["allowEmptyValue"] = true }
        return .object(members)
    }
}

extension ValueForm {
    /// As a schema.
    var schema: DocumentValue {
        switch self {
        case .text: ["type": "string"]
        case .number(let range):
            [
                "type": "integer", "minimum": .number(range.lowerBound),
                "maximum": .number(range.upperBound),
            ]
        case .words(let words): ["type": "string", "enum": .list(words.map { .text($0) })]
        case .flag: ["type": "string", "enum": ["", "true", "false"]]
        }
    }
}

extension BodyNote {
    /// As a media type object.
    func media(_ type: String) -> DocumentValue {
        var members: [String: DocumentValue] = [
            "schema": schema.map(DocumentSchema.reference)
                ?? (type.isJSON ? [:] : ["type": "string"])
        ]
        if let example { members["example"] = type.isJSON ? Self.parsed(example) : .text(example) }
        return .object(members)
    }

    private static func parsed(_ example: String) -> DocumentValue {
        DocumentValue(parsing: Array(example.utf8)) ?? .text(example)
    }
}

extension AnswerNote {
    /// As a response object.
    func document(headers common: DocumentValue) -> DocumentValue {
        let own = headers.map { header in
            let value: DocumentValue = [
                "description": .text(header.text), "schema": ["type": "string"],
            ]
            return (header.name, value)
        }
        var members: [String: DocumentValue] = [
            "description": .text(text),
            "headers": common.adding(Dictionary(uniqueKeysWithValues: own)),
        ]
        if let type {
            let form =
                schema.map(DocumentSchema.reference) ?? (type.isJSON ? [:] : ["type": "string"])
            members["content"] = .object([type: ["schema": form]])
        }
        return .object(members)
    }
}

extension String {
    /// Whether a media type is JSON.
    fileprivate var isJSON: Bool {
        let type = prefix { $0 != ";" }.lowercased()
        return type == "application/json" || type.hasSuffix("+json")
    }
}
