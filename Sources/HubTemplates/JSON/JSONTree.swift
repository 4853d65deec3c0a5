import HubVocabulary

/// A parsed JSON value; members keep their order, numbers their spelling.
///
/// Installations and their patches are read from it, so that the bytes of a request are looked at
/// once, by one bounded scanner.
package enum JSONTree: Equatable, Sendable {
    case null
    case boolean(Bool)
    /// As it was written.
    case number([UInt8])
    /// UTF-8, escapes decoded.
    case string([UInt8])
    case array([JSONTree])
    /// In the order written; of members with one name the last counts.
    case object([JSONMember])

    /// Reads one JSON text.
    ///
    /// Linear in the text, without recursion.
    /// - Throws: what is wrong with it and where; also when it is nested more than `depthMax` deep.
    package init(json text: Span<UInt8>, depthMax: Int) throws(JSONTextError) {
        var scanner = try JSONScanner(text, depthMax: depthMax)
        var open: [OpenContainer] = []
        var whole = JSONTree.null
        while true {
            let value: JSONTree
            switch try scanner.next() {
            case .beginObject:
                open.append(OpenContainer(isObject: true))
                continue
            case .beginArray:
                open.append(OpenContainer(isObject: false))
                continue
            case .key(let range):
                open[open.count - 1].name = JSONText.decode(range, of: text)
                continue
            case .endObject, .endArray: value = open.removeLast().value
            case .string(let range): value = .string(JSONText.decode(range, of: text))
            case .number(let range): value = .number(text.bytes(in: range))
            case .boolean(let range): value = .boolean(text[range.lowerBound] == UInt8(ascii: "t"))
            case .null: value = .null
            case .end:
                self = whole
                return
            }
            if open.isEmpty { whole = value } else { open[open.count - 1].add(value) }
        }
    }

    /// The JSON text without white space; characters beyond ASCII stay as they are.
    package var json: [UInt8] {
        var output: [UInt8] = []
        write(to: &output)
        return output
    }

    /// The member with a name in any case, the last of several; nil when it is absent or null.
    package func member(_ name: String) -> JSONTree? {
        guard case .object(let members) = self else { return nil }
        let found = members.last { ASCII.equal($0.name, name.utf8) }?.value
        return found == .null ? nil : found
    }

    /// Recursion is safe: the code that makes a value bounds its depth to 64 levels.
    private func write(to output: inout [UInt8]) {
        switch self {
        case .null: output += "null".utf8
        case .boolean(let value): output += (value ? "true" : "false").utf8
        case .number(let text): output += text
        case .string(let text): Self.write(text, to: &output)
        case .array(let values):
            output.append(UInt8(ascii: "["))
            for (index, value) in values.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                value.write(to: &output)
            }
            output.append(UInt8(ascii: "]"))
        case .object(let members):
            output.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { output.append(UInt8(ascii: ",")) }
                Self.write(member.name, to: &output)
                output.append(UInt8(ascii: ":"))
                member.value.write(to: &output)
            }
            output.append(UInt8(ascii: "}"))
        }
    }

    private static func write(_ text: [UInt8], to output: inout [UInt8]) {
        output.append(UInt8(ascii: "\""))
        JSONEscape.append(text[...], to: &output)
        output.append(UInt8(ascii: "\""))
    }
}

/// An object or array whose end has not been seen.
private struct OpenContainer {
    let isObject: Bool
    var name: [UInt8] = []
    private var members: [JSONMember] = []
    private var elements: [JSONTree] = []

    init(isObject: Bool) { self.isObject = isObject }

    mutating func add(_ value: JSONTree) {
        if isObject { members.append(JSONMember(name, value)) } else { elements.append(value) }
    }

    var value: JSONTree { isObject ? .object(members) : .array(elements) }
}
