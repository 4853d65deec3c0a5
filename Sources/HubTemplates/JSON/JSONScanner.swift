import HubVocabulary

/// A bounded pull scanner for JSON (RFC 8259): one event per call, no recursion, no copies.
package struct JSONScanner: ~Escapable {
    private enum Expected {
        case value, firstValueOrEnd, key, firstKeyOrEnd, commaOrEnd, nothing
    }

    private let bytes: Span<UInt8>
    private let depthMax: Int
    /// The place of the next byte.
    package private(set) var position = 0
    private var expected = Expected.value
    /// Open containers, innermost last; true for objects.
    private var containers: [Bool] = []

    /// Checks that `bytes` is UTF-8; everything else is found event by event.
    @_lifetime(copy bytes)
    package init(_ bytes: Span<UInt8>, depthMax: Int) throws(JSONTextError) {
        if let offset = TextBytes.invalidUTF8Offset(bytes) {
            throw JSONTextError(offset: offset, fault: .notUTF8)
        }
        self.bytes = bytes
        self.depthMax = depthMax
    }

    /// The next event; `.end` for ever once the value is complete.
    @_lifetime(self: copy self)
    package mutating func next() throws(JSONTextError) -> JSONEvent {
        skipBlanks()
        switch expected {
        case .nothing:
            guard position == bytes.count else { throw fault(.trailingBytes) }
            return .end
        case .value: return try scanValue()
        case .firstValueOrEnd: return peek() == UInt8(ascii: "]") ? close() : try scanValue()
        case .key: return try scanKey()
        case .firstKeyOrEnd: return peek() == UInt8(ascii: "}") ? close() : try scanKey()
        case .commaOrEnd: break
        }
        let isObject = containers.last == true
        let end = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
        if peek() == end { return close() }
        try take(UInt8(ascii: ","))
        skipBlanks()
        return isObject ? try scanKey() : try scanValue()
    }

    @_lifetime(self: copy self)
    private mutating func close() -> JSONEvent {
        position += 1
        let isObject = containers.removeLast()
        expected = containers.isEmpty ? .nothing : .commaOrEnd
        return isObject ? .endObject : .endArray
    }

    @_lifetime(self: copy self)
    private mutating func scanKey() throws(JSONTextError) -> JSONEvent {
        let key = try scanString()
        skipBlanks()
        try take(UInt8(ascii: ":"))
        expected = .value
        return .key(key)
    }

    @_lifetime(self: copy self)
    private mutating func scanValue() throws(JSONTextError) -> JSONEvent {
        guard let first = peek() else { throw fault(.unexpectedEnd) }
        if first == UInt8(ascii: "{") || first == UInt8(ascii: "[") {
            guard containers.count < depthMax else { throw fault(.tooDeep(limit: depthMax)) }
            position += 1
            let isObject = first == UInt8(ascii: "{")
            containers.append(isObject)
            expected = isObject ? .firstKeyOrEnd : .firstValueOrEnd
            return isObject ? .beginObject : .beginArray
        }
        expected = containers.isEmpty ? .nothing : .commaOrEnd
        switch first {
        case UInt8(ascii: "\""): return .string(try scanString())
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return .number(try scanNumber())
        case UInt8(ascii: "t"): return .boolean(try scanWord("true"))
        case UInt8(ascii: "f"): return .boolean(try scanWord("false"))
        case UInt8(ascii: "n"):
            _ = try scanWord("null")
            return .null
        default: throw fault(.unexpectedByte)
        }
    }

    @_lifetime(self: copy self)
    private mutating func scanWord(_ word: StaticString) throws(JSONTextError) -> Range<Int> {
        let start = position
        for byte in word.description.utf8 { try take(byte) }
        return start..<position
    }

    @_lifetime(self: copy self)
    private mutating func scanNumber() throws(JSONTextError) -> Range<Int> {
        let start = position
        if peek() == UInt8(ascii: "-") { position += 1 }
        if peek() == UInt8(ascii: "0") { position += 1 } else { try skipDigits() }
        if peek() == UInt8(ascii: ".") {
            position += 1
            try skipDigits()
        }
        if peek() == UInt8(ascii: "e") || peek() == UInt8(ascii: "E") {
            position += 1
            if peek() == UInt8(ascii: "+") || peek() == UInt8(ascii: "-") { position += 1 }
            try skipDigits()
        }
        return start..<position
    }

    @_lifetime(self: copy self)
    private mutating func skipDigits() throws(JSONTextError) {
        let start = position
        while let byte = peek(), ASCII.isDigit(byte) { position += 1 }
        guard position > start else { throw fault(.badNumber) }
    }

    /// Checks a string from its opening quote to the closing one; returns what lies between.
    @_lifetime(self: copy self)
    private mutating func scanString() throws(JSONTextError) -> Range<Int> {
        try take(UInt8(ascii: "\""))
        let start = position
        while let byte = peek() {
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return start..<position - 1
            case UInt8(ascii: "\\"): try scanEscape()
            case 0..<0x20: throw fault(.controlCharacter)
            default: position += 1
            }
        }
        throw fault(.unexpectedEnd)
    }

    @_lifetime(self: copy self)
    private mutating func scanEscape() throws(JSONTextError) {
        let start = position
        position += 1
        guard let kind = peek() else { throw fault(.unexpectedEnd) }
        position += 1
        switch kind {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
            UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            return
        case UInt8(ascii: "u"): break
        default: throw JSONTextError(offset: start, fault: .badEscape)
        }
        let unit = try scanUnit(escapeAt: start)
        guard unit & 0xF800 == 0xD800 else { return }
        // A high half must be followed by `\u` and a low half.
        guard unit < 0xDC00, peek() == UInt8(ascii: "\\"), position + 1 < bytes.count,
            bytes[position + 1] == UInt8(ascii: "u")
        else { throw JSONTextError(offset: start, fault: .loneSurrogate) }
        position += 2
        guard try scanUnit(escapeAt: start) & 0xFC00 == 0xDC00 else {
            throw JSONTextError(offset: start, fault: .loneSurrogate)
        }
    }

    @_lifetime(self: copy self)
    private mutating func scanUnit(escapeAt start: Int) throws(JSONTextError) -> UInt32 {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = peek() else { throw fault(.unexpectedEnd) }
            guard let digit = HexText.digit(byte) else {
                throw JSONTextError(offset: start, fault: .badEscape)
            }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }

    private func peek() -> UInt8? { position < bytes.count ? bytes[position] : nil }

    @_lifetime(self: copy self)
    private mutating func take(_ byte: UInt8) throws(JSONTextError) {
        guard let found = peek() else { throw fault(.unexpectedEnd) }
        guard found == byte else { throw fault(.unexpectedByte) }
        position += 1
    }

    @_lifetime(self: copy self)
    private mutating func skipBlanks() {
        while let byte = peek(), ASCII.isBlank(byte) { position += 1 }
    }

    private func fault(_ fault: JSONFault) -> JSONTextError {
        JSONTextError(offset: position, fault: fault)
    }
}
