import HubTemplates
import HubVocabulary

/// JSON templates, filled with hostile properties and with those of the input.
///
/// The first two bytes say where the template ends; what follows is the property bag. Properties: an
/// error points into the template; whatever is inserted, a filled template is one JSON object again;
/// filling is deterministic.
package func fuzzJSONTemplate(_ bytes: Span<UInt8>) {
    let (template, properties) = parts(of: bytes)
    guard let compiled = compile(template, .json) else { return }
    for bag in bags(properties) {
        guard let filled = fill(compiled, with: bag) else { continue }
        checkJSON(filled.span)
    }
}

/// XML templates; as ``fuzzJSONTemplate(_:)``, but a filled template is well-formed XML again.
package func fuzzXMLTemplate(_ bytes: Span<UInt8>) {
    let (template, properties) = parts(of: bytes)
    guard let compiled = compile(template, .xml) else { return }
    for bag in bags(properties) {
        guard let filled = fill(compiled, with: bag) else { continue }
        do throws(TemplateError) {
            _ = try CompiledTemplate(body: filled, syntax: .xml)
        } catch {
            // What was inserted may itself look like an expression; it must not break the XML.
            switch error.fault {
            case .xml, .notUTF8, .bodyBlank: preconditionFailure("not XML: \(error.reason)")
            default: continue
            }
        }
    }
}

private func checkJSON(_ text: Span<UInt8>) {
    do throws(JSONTextError) {
        let depthMax = TemplateLimits.depthMax
        try JSONText.validate(text, depthMax: depthMax, requiresObject: true)
    } catch { preconditionFailure("a filled template isn't JSON: \(error.reason)") }
}

private func parts(
    of bytes: Span<UInt8>
) -> (template: [UInt8], properties: [UInt8]) {
    guard bytes.count >= 2 else { return ([], []) }
    let length = Int(bytes[0]) << 8 | Int(bytes[1])
    return (bytes.dropping(2).keeping(length).copied, bytes.dropping(2 + length).copied)
}

private func compile(_ body: [UInt8], _ syntax: TemplateSyntax) -> CompiledTemplate? {
    do throws(TemplateError) {
        return try CompiledTemplate(body: body, syntax: syntax)
    } catch {
        precondition((0...body.count).contains(error.offset), "\(error) of \(body.count) bytes")
        precondition(!error.reason.isEmpty)
        return nil
    }
}

/// No properties; what breaks out of strings, attributes and text; and what the input says.
private func bags(_ properties: [UInt8]) -> [PropertyBag] {
    let hostile = "\\\u{0}\u{1F}\n<>&'\"]]>--></a>\u{FFFE}\u{2028}é📰\u{7F}"
    let names = ["a", "b", "title", "message", "messageParam", "News_English", "n"]
    var bags = [
        PropertyBag(),
        PropertyBag(
            names.map { NamedValue(name: Array($0.utf8), value: Array(hostile.utf8)) }
        ),
    ]
    do throws(PropertyBagError) {
        bags.append(try PropertyBag(json: properties.span))
    } catch {
        precondition((0...properties.count).contains(error.offset), "\(error)")
    }
    return bags
}

/// The filled body; nil when it became too large, which is an outcome of its own.
private func fill(_ template: CompiledTemplate, with bag: PropertyBag) -> [UInt8]? {
    let rendered = template.render(bag)
    precondition(rendered == template.render(bag), "filling isn't deterministic")
    return rendered.isTooLarge ? nil : rendered.body
}
