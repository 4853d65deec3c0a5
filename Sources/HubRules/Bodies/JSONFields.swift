import HubTemplates
import HubVocabulary

/// Reads single values out of a JSON object while checking all of it: one pass, nothing kept.
enum JSONFields {
    /// The value at a path.
    enum Value: Hashable {
        /// A string, decoded.
        case string([UInt8])
        /// A number, as it stands.
        case number([UInt8])
        /// Anything else but null, which counts as absent.
        case other
    }

    /// Where values are looked for: paths of member names, made once for many texts.
    ///
    /// A path is four numbers in one: the place of each member's name among all names, from 1, the
    /// outermost member lowest; so that a value's path is compared at once.
    struct Paths {
        /// Members of a path at most.
        static let depthMax = 4
        /// A member that no path has, or an element of an array.
        fileprivate static let unknown: UInt32 = 255

        /// As they were given.
        let spelled: [[String]]
        fileprivate let names: [[UInt8]]
        fileprivate let numbers: [UInt32]
        fileprivate let deepest: Int

        /// Takes paths of 1 to 4 names.
        init(_ paths: [[String]]) {
            spelled = paths
            var names: [[UInt8]] = []
            numbers = paths.map { path in
                precondition((1...Self.depthMax).contains(path.count), "\(path)")
                return path.enumerated().reduce(0) { number, member in
                    let name = Array(member.element.utf8)
                    if !names.contains(name) { names.append(name) }
                    let place = (names.firstIndex(of: name) ?? 0) + 1
                    return number | UInt32(place) << UInt32(8 * member.offset)
                }
            }
            precondition(names.count < Int(Self.unknown), "\(names.count) names")
            self.names = names
            deepest = paths.map(\.count).max() ?? 0
        }

        /// The number of a member's name.
        fileprivate func number(_ range: Range<Int>, of text: Span<UInt8>) -> UInt32 {
            for index in range where text[index] == UInt8(ascii: "\\") {
                let name = JSONText.decode(range, of: text)
                return names.firstIndex(of: name).map { UInt32($0 + 1) } ?? Self.unknown
            }
            for place in names.indices where names[place].count == range.count {
                let name = names[place]
                var offset = 0
                while offset < name.count, name[offset] == text[range.lowerBound + offset] {
                    offset += 1
                }
                if offset == name.count { return UInt32(place + 1) }
            }
            return Self.unknown
        }
    }

    /// The values at some paths, in their order; nil where nothing is.
    ///
    /// Of members with one name the last counts.
    ///
    /// - Throws: why the text is not one JSON object, and where.
    static func read(
        _ paths: Paths,
        in text: Span<UInt8>,
        depthMax: Int
    ) throws(JSONTextError) -> [Value?] {
        var found = [Value?](repeating: nil, count: paths.numbers.count)
        var scanner = try JSONScanner(text, depthMax: depthMax)
        guard try scanner.next() == .beginObject else {
            throw JSONTextError(offset: 0, fault: .notAnObject)
        }
        var path = Paths.unknown
        var depth = 1
        func note(_ value: @autoclosure () -> Value?) {
            guard depth <= paths.deepest else { return }
            for index in paths.numbers.indices where paths.numbers[index] == path {
                found[index] = value()
            }
        }
        while true {
            switch try scanner.next() {
            case .end: return found
            case .key(let range):
                guard depth <= paths.deepest else { continue }
                path = at(depth, of: path, paths.number(range, of: text))
            case .string(let range): note(.string(JSONText.decode(range, of: text)))
            case .number(let range): note(.number(text.bytes(in: range)))
            case .boolean: note(.other)
            case .null: note(nil)
            case .beginObject, .beginArray:
                note(.other)
                depth += 1
                // Until there is a name: elements of an array have none.
                if depth <= paths.deepest { path = at(depth, of: path, Paths.unknown) }
            case .endObject, .endArray:
                if depth <= paths.deepest { path = at(depth, of: path, 0) }
                depth -= 1
            }
        }
    }

    /// A path whose member at a depth, from 1, is another; what was deeper is left.
    private static func at(_ depth: Int, of path: UInt32, _ number: UInt32) -> UInt32 {
        let shift = UInt32(8 * (depth - 1))
        return path & ((1 << shift) - 1) | number << shift
    }
}
