import HubVocabulary

extension XMLTemplateCompiler {
    /// `<name attribute="value" …>` or `<name …/>`.
    mutating func parseStartTag() throws(TemplateError) {
        position += 1
        try enter(try parseName())
        var names: [Range<Int>] = []
        while true {
            let hadBlank = skipBlanks()
            guard position < body.count else { throw fault(.unexpectedEnd) }
            if body[position] == UInt8(ascii: ">") {
                position += 1
                return
            }
            if starts(with: "/>") {
                position += 2
                try leave()
                return
            }
            guard hadBlank else { throw fault(.tagMalformed) }
            let name = try parseName()
            attribute = name
            guard !names.contains(where: { body[$0] == body[name] }) else {
                throw fault(.attributeDuplicate, at: name.lowerBound)
            }
            guard names.count < TemplateLimits.attributesMax else {
                throw fault(.tooManyAttributes, at: name.lowerBound)
            }
            names.append(name)
            try parseAttributeValue()
            attribute = nil
        }
    }

    /// `= "value"`, compiled.
    private mutating func parseAttributeValue() throws(TemplateError) {
        skipBlanks()
        try take("=", else: .tagMalformed)
        skipBlanks()
        guard position < body.count else { throw fault(.unexpectedEnd) }
        let quote = body[position]
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            throw fault(.tagMalformed)
        }
        position += 1
        let start = position
        var value: [UInt8] = []
        while position < body.count, body[position] != quote {
            switch body[position] {
            case UInt8(ascii: "<"): throw fault(.tagMalformed)
            case UInt8(ascii: "&"): try parseReference(into: &value)
            case 0x0D where position + 1 < body.count && body[position + 1] == 0x0A: position += 1
            case 0x09, 0x0A, 0x0D:
                value.append(0x20)
                position += 1
            default:
                value.append(body[position])
                position += 1
            }
        }
        guard position < body.count else { throw fault(.unexpectedEnd) }
        let range = start..<position
        _ = try builder.replace(
            range,
            with: value,
            as: .xmlAttribute,
            offset: start,
            rawCount: range.count
        )
        position += 1
    }

    /// `</name>`.
    mutating func parseEndTag() throws(TemplateError) {
        let start = position
        position += 2
        let name = try parseName()
        skipBlanks()
        try take(">", else: .tagMalformed)
        guard let last = open.last, body[last] == body[name] else {
            throw fault(.tagMismatch, at: start)
        }
        try leave()
    }

    /// Character data up to the next `<`.
    mutating func parseText() throws(TemplateError) {
        let start = position
        var value: [UInt8] = []
        while position < body.count, body[position] != UInt8(ascii: "<") {
            let byte = body[position]
            if byte == UInt8(ascii: "&") {
                try parseReference(into: &value)
                continue
            }
            if byte == UInt8(ascii: "]"), starts(with: "]]>") { throw fault(.sectionEndInText) }
            appendLine(byte, to: &value)
        }
        add(value, start..<position, rawCount: position - start)
    }

    /// `<![CDATA[text]]>`, which counts as text.
    mutating func parseSection() throws(TemplateError) {
        guard !open.isEmpty else { throw fault(.textOutsideRoot) }
        let start = position
        position += 9
        var value: [UInt8] = []
        while position < body.count {
            if body[position] == UInt8(ascii: "]"), starts(with: "]]>") {
                position += 3
                // The section's frame is not text, so offsets into the value cannot be exact.
                add(value, start..<position, rawCount: -1)
                return
            }
            appendLine(body[position], to: &value)
        }
        throw fault(.unexpectedEnd, at: start)
    }

    /// Appends one byte of text and goes on; CR LF and CR are LF.
    private mutating func appendLine(_ byte: UInt8, to value: inout [UInt8]) {
        position += 1
        if byte != 0x0D {
            value.append(byte)
        } else if position == body.count || body[position] != 0x0A {
            value.append(0x0A)
        }
    }

    private mutating func add(_ value: [UInt8], _ range: Range<Int>, rawCount: Int) {
        leaf?.value += value
        leaf?.ranges.append(range)
        leaf?.rawCount += rawCount
    }

    /// `<!-- … -->`.
    mutating func parseComment() throws(TemplateError) {
        let start = position
        position += 4
        while position < body.count {
            if body[position] == UInt8(ascii: "-"), starts(with: "--") {
                guard starts(with: "-->") else { throw fault(.commentMalformed) }
                position += 3
                return
            }
            position += 1
        }
        throw fault(.unexpectedEnd, at: start)
    }

    /// `<?target …?>`.
    mutating func parseInstruction() throws(TemplateError) {
        let start = position
        position += 2
        let target = try parseName()
        // Targets that begin with these letters are reserved (XML 1.0, 2.3).
        guard !body[target].prefix(3).spells("xml") else {
            throw fault(.declarationMalformed, at: start)
        }
        guard position < body.count else { throw fault(.unexpectedEnd, at: start) }
        guard ASCII.isBlank(body[position]) || starts(with: "?>") else {
            throw fault(.instructionMalformed)
        }
        while position < body.count {
            if body[position] == UInt8(ascii: "?"), starts(with: "?>") {
                position += 2
                return
            }
            position += 1
        }
        throw fault(.unexpectedEnd, at: start)
    }

    /// `<?xml version="1.0" encoding="utf-8" standalone="yes"?>`.
    mutating func parseDeclaration() throws(TemplateError) {
        position += 5
        guard let version = try parsePseudoAttribute("version"), version.elementsEqual("1.0".utf8)
        else { throw fault(.declarationMalformed) }
        // What writes UTF-16 in memory declares it; the bytes were checked to be UTF-8.
        if let encoding = try parsePseudoAttribute("encoding"), !encoding.spells("utf-8"),
            !encoding.spells("utf-16")
        {
            throw fault(.encodingUnsupported(PlainText.shown(Array(encoding).span)))
        }
        if let standalone = try parsePseudoAttribute("standalone"),
            !standalone.elementsEqual("yes".utf8), !standalone.elementsEqual("no".utf8)
        {
            throw fault(.declarationMalformed)
        }
        skipBlanks()
        guard starts(with: "?>") else { throw fault(.declarationMalformed) }
        position += 2
    }

    /// The value of ` name="value"`, when that comes next.
    private mutating func parsePseudoAttribute(
        _ name: String
    ) throws(TemplateError) -> ArraySlice<UInt8>? {
        let start = position
        guard skipBlanks(), starts(with: name) else {
            position = start
            return nil
        }
        position += name.utf8.count
        skipBlanks()
        try take("=", else: .declarationMalformed)
        skipBlanks()
        guard position < body.count,
            body[position] == UInt8(ascii: "\"") || body[position] == UInt8(ascii: "'"),
            let end = body[(position + 1)...].firstIndex(of: body[position])
        else { throw fault(.declarationMalformed) }
        defer { position = end + 1 }
        return body[position + 1..<end]
    }

    /// A reference such as `&lt;`, `&#233;` or `&#xE9;`.
    private mutating func parseReference(into value: inout [UInt8]) throws(TemplateError) {
        let start = position
        // The longest reference that can mean anything is `&#x10FFFF;`, zeros aside.
        guard let end = body[start...].prefix(16).firstIndex(of: UInt8(ascii: ";")) else {
            throw fault(.entityUnknown)
        }
        let name = body[start + 1..<end]
        position = end + 1
        switch String(decoding: name, as: UTF8.self) {
        case "lt": value.append(UInt8(ascii: "<"))
        case "gt": value.append(UInt8(ascii: ">"))
        case "amp": value.append(UInt8(ascii: "&"))
        case "apos": value.append(UInt8(ascii: "'"))
        case "quot": value.append(UInt8(ascii: "\""))
        default:
            guard name.first == UInt8(ascii: "#") else { throw fault(.entityUnknown, at: start) }
            let isHex = name.dropFirst().first == UInt8(ascii: "x")
            let digits = name.dropFirst(isHex ? 2 : 1)
            guard !digits.isEmpty,
                digits.allSatisfy({ isHex ? HexText.digit($0) != nil : ASCII.isDigit($0) }),
                let scalar = UInt32(
                    String(decoding: digits, as: UTF8.self),
                    radix: isHex ? 16 : 10
                ),
                XMLNames.isCharacter(scalar)
            else { throw fault(.entityUnknown, at: start) }
            TextBytes.appendUTF8(scalar, to: &value)
        }
    }

    private mutating func parseName() throws(TemplateError) -> Range<Int> {
        guard let end = XMLNames.end(of: body, from: position) else { throw fault(.nameInvalid) }
        defer { position = end }
        return position..<end
    }

    /// Skips blanks and says whether there were any.
    @discardableResult
    private mutating func skipBlanks() -> Bool {
        let start = position
        while position < body.count, ASCII.isBlank(body[position]) { position += 1 }
        return position > start
    }

    private mutating func take(_ text: String, else kind: XMLFault) throws(TemplateError) {
        guard position < body.count else { throw fault(.unexpectedEnd) }
        guard starts(with: text) else { throw fault(kind) }
        position += text.utf8.count
    }
}
