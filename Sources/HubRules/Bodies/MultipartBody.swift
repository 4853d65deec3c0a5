import HubVocabulary

/// A multipart body taken apart: tolerant of what clients get wrong, exact about the rest.
///
///     preamble
///     --boundary              a line of its own, blanks behind it allowed
///     Name: value             headers of the part, an empty line, then its content
///
///     content
///     --boundary--            may be missing, also its last two hyphens
///
/// Lines end with CR LF or LF; the line end before a boundary belongs to the boundary.
/// Source: REST reference §9.2.
struct MultipartBody {
    /// One part.
    struct Part {
        /// Headers, names in lower case, in the order given.
        var headers: [NamedValue]
        /// The content without the line end behind it.
        var content: [UInt8]

        /// The value of a header, its name in lower case; of several the first counts.
        func header(_ name: String) -> [UInt8]? {
            headers.first { $0.name.elementsEqual(name.utf8) }?.value
        }
    }

    /// A line that separates parts.
    private struct Delimiter {
        /// Where the content before it ends.
        var contentEnd: Int
        /// Where what follows it begins.
        var end: Int
        /// Whether no part follows.
        var isLast: Bool
    }

    /// The parts in order.
    let parts: [Part]

    /// Takes a body apart by the boundary that its content type names, or, when the body does not
    /// have that one, by its own first line.
    ///
    /// Linear in the body.
    /// - Throws: `.invalid` naming `Content-Type` or `body` and what is wrong with it.
    init(_ body: [UInt8], contentType: [UInt8], limits: CoreLimits) throws(Refusal) {
        let type = HeaderParameters(contentType)
        guard type.word.starts(with: "multipart/".utf8) else {
            throw .invalid(field: "Content-Type", reason: "must be multipart/mixed for a batch")
        }
        guard let boundary = type.value("boundary"), Self.isBoundary(boundary) else {
            throw .invalid(
                field: "Content-Type",
                reason: "must name a boundary of 1 to 70 visible characters"
            )
        }
        var delimiters = try Self.delimiters(in: body, boundary: boundary, limits: limits)
        if delimiters.isEmpty {
            guard let boundary = Self.firstBoundary(of: body) else {
                throw .invalid(field: "body", reason: "has no line with the boundary")
            }
            delimiters = try Self.delimiters(in: body, boundary: boundary, limits: limits)
        }
        var parts: [Part] = []
        for (index, delimiter) in delimiters.enumerated() where !delimiter.isLast {
            let isOpen = index + 1 == delimiters.count
            let end = isOpen ? Self.withoutLineEnd(body[...]) : delimiters[index + 1].contentEnd
            let part = body[delimiter.end..<max(delimiter.end, end)]
            // A closing boundary without its last two hyphens opens nothing.
            if isOpen, part.allSatisfy(ASCII.isBlank) { break }
            guard parts.count < limits.sends.multipartPartsMax else { throw Self.tooMany(limits) }
            parts.append(try Self.part(part, number: index + 1, limits: limits))
        }
        self.parts = parts
    }

    // MARK: Boundaries

    /// Whether a boundary is one that a line of the body can hold.
    private static func isBoundary(_ boundary: [UInt8]) -> Bool {
        (1...70).contains(boundary.count) && boundary.last != 0x20
            && boundary.allSatisfy { (0x20..<0x7F).contains($0) }
    }

    /// The first line that is not empty, when it has the form of a boundary.
    private static func firstBoundary(of body: [UInt8]) -> [UInt8]? {
        let start = body.drop(while: ASCII.isBlank)
        guard start.starts(with: "--".utf8) else { return nil }
        let boundary = ASCII.trimmed(Array(start.dropFirst(2).prefix { $0 != 0x0A }))
        return boundary.isEmpty ? nil : boundary
    }

    private static func delimiters(
        in body: [UInt8],
        boundary: [UInt8],
        limits: CoreLimits
    ) throws(Refusal) -> [Delimiter] {
        let mark = Array("--".utf8) + boundary
        var found: [Delimiter] = []
        var start = 0
        while start < body.count {
            let lineEnd = body[start...].firstIndex(of: 0x0A) ?? body.count
            let next = min(lineEnd + 1, body.count)
            if let isLast = isDelimiter(body[start..<lineEnd], mark) {
                let contentEnd = found.isEmpty ? start : withoutLineEnd(body[..<start])
                found.append(Delimiter(contentEnd: contentEnd, end: next, isLast: isLast))
                if isLast { break }
                // One more than parts: the last may lack its two hyphens.
                guard found.count <= limits.sends.multipartPartsMax + 1 else {
                    throw tooMany(limits)
                }
            }
            start = lineEnd + 1
        }
        return found
    }

    /// Whether a line is the last boundary or another one; nil when it is none.
    private static func isDelimiter(_ line: ArraySlice<UInt8>, _ mark: [UInt8]) -> Bool? {
        guard line.starts(with: mark) else { return nil }
        let rest = line.dropFirst(mark.count)
        if rest.allSatisfy(ASCII.isBlank) { return false }
        let isLast =
            rest.starts(with: "--".utf8) && rest.dropFirst(2).allSatisfy(ASCII.isBlank)
        return isLast ? true : nil
    }

    /// The end of a text without the one line end behind it.
    private static func withoutLineEnd(_ text: ArraySlice<UInt8>) -> Int {
        guard text.last == 0x0A else { return text.endIndex }
        return text.dropLast().last == 0x0D ? text.endIndex - 2 : text.endIndex - 1
    }

    private static func tooMany(_ limits: CoreLimits) -> Refusal {
        .invalid(field: "body", reason: "has more than \(limits.sends.multipartPartsMax) parts")
    }

    // MARK: Parts

    private static func part(
        _ bytes: ArraySlice<UInt8>,
        number: Int,
        limits: CoreLimits
    ) throws(Refusal) -> Part {
        var headers: [NamedValue] = []
        var start = bytes.startIndex
        while true {
            guard start - bytes.startIndex <= limits.sends.multipartHeadBytesMax else {
                throw .invalid(
                    field: "body",
                    reason: "the headers of part \(number) have more than "
                        + "\(limits.sends.multipartHeadBytesMax) bytes"
                )
            }
            guard let end = bytes[start...].firstIndex(of: 0x0A) else {
                throw .invalid(
                    field: "body",
                    reason: "part \(number) has no empty line behind its headers"
                )
            }
            let line = bytes[start..<end]
            start = end + 1
            let text = ASCII.trimmed(Array(line))
            if text.isEmpty { break }
            if ASCII.isBlank(line[line.startIndex]), !headers.isEmpty {
                // A line that begins with a blank goes on with the one before.
                headers[headers.count - 1].value += [0x20] + text
                continue
            }
            guard let colon = text.firstIndex(of: UInt8(ascii: ":")) else {
                throw .invalid(
                    field: "body",
                    reason: "part \(number) has a header line without ':'"
                )
            }
            headers.append(
                NamedValue(
                    name: ASCII.lower(ASCII.trimmed(Array(text[..<colon]))),
                    value: ASCII.trimmed(Array(text[(colon + 1)...]))
                )
            )
        }
        return Part(headers: headers, content: Array(bytes[start...]))
    }
}
