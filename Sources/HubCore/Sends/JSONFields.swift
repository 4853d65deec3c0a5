/// Reads single values out of a JSON object while checking all of it: one pass, nothing kept.
enum JSONFields {
    /// What stands at a path.
    enum Value: Hashable {
        /// A string, decoded.
        case string([UInt8])
        /// A number, as it stands.
        case number([UInt8])
        /// Anything else but null, which counts as absent.
        case other
    }

    /// The values at some paths of member names, in their order; nil where nothing is.
    ///
    /// Of members with one name the last counts.
    ///
    /// - Throws: why the text is not one JSON object, and where.
    static func read(
        _ paths: [[String]],
        in text: Span<UInt8>,
        depthMax: Int
    ) throws(JSONTextError) -> [Value?] {
        let wanted = paths.map { $0.map { Array($0.utf8) } }
        let deepest = wanted.map(\.count).max() ?? 0
        var found = [Value?](repeating: nil, count: paths.count)
        var scanner = try JSONScanner(text, depthMax: depthMax)
        guard try scanner.next() == .beginObject else {
            throw JSONTextError(offset: 0, fault: .notAnObject)
        }
        // The name under which each open container stands, but for the root; nil within arrays.
        var path: [[UInt8]?] = [nil]
        var depth = 1
        func note(_ value: @autoclosure () -> Value?) {
            guard depth <= deepest else { return }
            for index in wanted.indices where wanted[index].elementsEqual(path, by: { $0 == $1 }) {
                found[index] = value()
            }
        }
        while true {
            switch try scanner.next() {
            case .end: return found
            case .key(let range):
                if depth <= deepest { path[depth - 1] = JSONText.decode(range, of: text) }
            case .string(let range): note(.string(JSONText.decode(range, of: text)))
            case .number(let range): note(.number(text.bytes(in: range)))
            case .boolean: note(.other)
            case .null: note(nil)
            case .beginObject, .beginArray:
                note(.other)
                depth += 1
                if depth <= deepest { path.append(nil) }
            case .endObject, .endArray:
                if depth <= deepest { path.removeLast() }
                depth -= 1
            }
        }
    }
}
