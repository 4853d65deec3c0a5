package import HubVocabulary

/// The properties of a template send, or the push variables of a registration.
///
/// Names compare without ASCII case and the last of equal names wins; `null`, objects and arrays
/// count as missing; numbers and booleans are their JSON text. Source: REST reference §7.5, §7.8.
package struct PropertyBag: Sendable {
    private struct Entry {
        var name: Range<Int>
        /// Nil when the property is missing after all.
        var value: Range<Int>?
    }

    /// Folded names and values, back to back.
    private var pool: [UInt8] = []
    /// Sorted by name, each name once.
    private var entries: [Entry] = []

    /// Reads a JSON object of at most 65,536 bytes.
    ///
    /// Names that no expression can name are checked as JSON and dropped.
    package init(json: Span<UInt8>) throws(PropertyBagError) {
        guard json.count <= TemplateLimits.bagBytesMax else {
            let limit = TemplateLimits.bagBytesMax
            throw JSONTextError(
                offset: limit,
                fault: .tooLarge(bytes: json.count, limit: limit)
            )
        }
        var scanner = try JSONScanner(json, depthMax: TemplateLimits.depthMax)
        guard try scanner.next() == .beginObject else {
            throw JSONTextError(offset: 0, fault: .notAnObject)
        }
        pool.reserveCapacity(json.count)
        var depth = 1
        var name: [UInt8] = []
        while true {
            let event = try scanner.next()
            switch event {
            case .end:
                sort()
                return
            case .beginObject, .beginArray:
                if depth == 1 { append(name, nil) }
                depth += 1
            case .endObject, .endArray: depth -= 1
            case .key(let range) where depth == 1: name = JSONText.decode(range, of: json)
            case .string(let range) where depth == 1:
                append(name, JSONText.decode(range, of: json))
            case .number(let range) where depth == 1, .boolean(let range) where depth == 1:
                append(name, JSONText.decode(range, of: json))
            case .null where depth == 1: append(name, nil)
            case .key, .string, .number, .boolean, .null: break
            }
        }
    }

    /// An empty bag.
    package init() {}

    /// Takes pairs as they are; values must be UTF-8.
    package init(_ pairs: [NamedValue]) {
        for pair in pairs { append(pair.name, pair.value) }
        sort()
    }

    /// How many properties can be reached, missing ones included.
    package var count: Int { entries.count }

    /// The value of a property, whatever the case of its name; nil when it is missing.
    package func value(of name: [UInt8]) -> ArraySlice<UInt8>? {
        value(ofFolded: name.map(ASCII.lower))
    }

    /// The value of a property whose name is already lower case.
    func value(ofFolded name: [UInt8]) -> ArraySlice<UInt8>? {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            let found = pool[entries[middle].name]
            if found.lexicographicallyPrecedes(name) { low = middle + 1 } else { high = middle }
        }
        guard low < entries.count, pool[entries[low].name].elementsEqual(name),
            let value = entries[low].value
        else { return nil }
        return pool[value]
    }

    private mutating func append(_ name: [UInt8], _ value: [UInt8]?) {
        guard (1...TemplateLimits.propertyNameBytesMax).contains(name.count),
            name.allSatisfy(TextBytes.isName)
        else { return }
        let start = pool.count
        pool.append(contentsOf: name.lazy.map(ASCII.lower))
        let middle = pool.count
        pool.append(contentsOf: value ?? [])
        entries.append(
            Entry(name: start..<middle, value: value == nil ? nil : middle..<pool.count)
        )
    }

    /// Orders by name, then by position, and keeps the last of equal names.
    private mutating func sort() {
        let bytes = pool
        entries.sort { left, right in
            let first = bytes[left.name]
            let second = bytes[right.name]
            if first.elementsEqual(second) { return left.name.lowerBound < right.name.lowerBound }
            return first.lexicographicallyPrecedes(second)
        }
        var kept: [Entry] = []
        kept.reserveCapacity(entries.count)
        for entry in entries {
            if let last = kept.last, bytes[last.name].elementsEqual(bytes[entry.name]) {
                kept[kept.count - 1] = entry
            } else {
                kept.append(entry)
            }
        }
        entries = kept
    }
}
