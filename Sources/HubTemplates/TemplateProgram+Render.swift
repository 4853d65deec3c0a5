import HubVocabulary

extension TemplateProgram {
    /// The text with all expressions filled in; once it exceeds `limit` bytes it stops growing.
    func render(_ properties: inout TemplateProperties, limit: Int) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(min(limit, text.count + 64 * insertions.count))
        var copied = 0
        for insertion in insertions {
            output.append(contentsOf: text[copied..<insertion.offset])
            copied = insertion.offset
            Self.append(insertion, &properties, to: &output, limit: limit)
            guard output.count <= limit else { return output }
        }
        output.append(contentsOf: text[copied...])
        return output
    }

    /// Whether any expression names a property that `variables` has.
    func readsAny(of variables: PropertyBag) -> Bool {
        insertions.contains { insertion in
            insertion.expression.tokens.contains { token in
                guard case .property(let property) = token else { return false }
                return variables.value(ofFolded: property.name) != nil
            }
        }
    }

    /// Appends one filled expression; stops early once the output is longer than `limit`.
    private static func append(
        _ insertion: Insertion,
        _ properties: inout TemplateProperties,
        to output: inout [UInt8],
        limit: Int
    ) {
        let isJSON = insertion.context == .jsonValue
        if isJSON, let number = insertion.expression.number {
            let value = properties.value(of: number)
            if TextTransform.isNumber(value) {
                output.append(contentsOf: value)
                return
            }
        }
        if isJSON { output.append(UInt8(ascii: "\"")) }
        for token in insertion.expression.tokens {
            switch token {
            case .literal(let text):
                TextEscape.append(text[...], in: insertion.context, to: &output)
            case .property(let property):
                append(property, &properties, in: insertion.context, to: &output)
            }
            guard output.count <= limit else { return }
        }
        if isJSON { output.append(UInt8(ascii: "\"")) }
    }

    private static func append(
        _ property: TemplateExpression.Property,
        _ properties: inout TemplateProperties,
        in context: TemplateContext,
        to output: inout [UInt8]
    ) {
        let value = properties.value(of: property)
        switch property.transform {
        case .none, .number: TextEscape.append(value, in: context, to: &output)
        case .percent: PercentCoding.append(value, to: &output)
        case .cut(let length):
            let kept = properties.cut(property, to: length) ?? value
            TextEscape.append(kept, in: context, to: &output)
        case .cutWithDots(let length):
            guard let plain = properties.cut(property, to: length) else {
                TextEscape.append(value, in: context, to: &output)
                return
            }
            guard length >= 3 else {
                TextEscape.append(plain, in: context, to: &output)
                return
            }
            let kept = properties.cut(property, to: length - 3) ?? plain
            TextEscape.append(kept, in: context, to: &output)
            output.append(contentsOf: [UInt8](repeating: UInt8(ascii: "."), count: 3))
        }
    }
}
