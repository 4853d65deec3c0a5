import HubTemplates
package import HubVocabulary

/// One line of a request that holds many sends: a JSON object with what a send of its own has as
/// headers and body.
///
///     {"format":"gcm","tags":"World","body":{"data":{"a":"b"}},"idempotencyKey":"1f"}
///
/// `body` is any JSON value, which is the payload as it stands, or a string, whose text is; bytes
/// that are no text stand in `bodyBase64`. `headers` is an object of strings. A member that is not
/// known is refused, and so is an empty or missing value: without its tags a notification would go
/// to everybody. Source: REST §8.
package enum SendLine {
    /// The members that a line may have.
    private enum Member: String, CaseIterable {
        case format
        case tags
        case handle
        case headers
        case body
        case bodyBase64
        case idempotencyKey

        /// The header of a single send that means the same; nil where there is none.
        var header: SendHeader? {
            switch self {
            case .format: .format
            case .tags: .tags
            case .handle: .deviceHandle
            case .idempotencyKey: .idempotencyKey
            case .headers, .body, .bodyBase64: nil
            }
        }
    }

    /// The members found in a line so far.
    private struct Parts {
        var headers: [NamedValue] = []
        var body: [UInt8]?
        var seen: [Member] = []
    }

    /// How a refusal names what concerns the line as a whole.
    static let field = "line"

    /// Whether a name is that of the member with the line's key.
    static func isKey(_ name: [UInt8]) -> Bool {
        name.elementsEqual(Member.idempotencyKey.rawValue.utf8)
    }

    /// Reads a line; whether it can be sent is for `SendRules` to say.
    ///
    /// - Throws: `.invalid` naming the member, or `line` with the position in it; `.tooLarge`;
    ///   `.tooManyInRequest` for too many headers.
    package static func request(
        _ line: Span<UInt8>,
        rule: String,
        limits: CoreLimits = .standard
    ) throws(Refusal) -> SendRequest {
        guard line.count <= limits.sendLineBytesMax else {
            throw .tooLarge(field: field, bytes: line.count, limit: limits.sendLineBytesMax)
        }
        let parts = try parts(of: line, limits: limits)
        guard let body = parts.body else {
            throw .invalid(field: Member.body.rawValue, reason: "is missing")
        }
        let isDirect = parts.seen.contains(.handle)
        guard !isDirect || !parts.seen.contains(.tags) else {
            throw .invalid(
                field: Member.handle.rawValue,
                reason: "stands beside tags; a notification goes to one or the other"
            )
        }
        return SendRequest(headers: parts.headers, isDirect: isDirect, body: body, rule: rule)
    }

    private static func parts(
        of line: Span<UInt8>,
        limits: CoreLimits
    ) throws(Refusal) -> Parts {
        var scanner: JSONScanner
        do throws(JSONTextError) {
            // The body has its own limit, and stands within the line's object.
            scanner = try JSONScanner(line, depthMax: limits.sends.nestingMax + 2)
        } catch { throw .invalid(field: field, reason: error.reason) }
        guard try next(&scanner) == .beginObject else {
            throw .invalid(field: field, reason: "is not a JSON object")
        }
        var parts = Parts()
        while case .key(let range) = try next(&scanner) {
            let member = try member(JSONText.decode(range, of: line))
            guard !parts.seen.contains(member) else {
                throw .invalid(field: member.rawValue, reason: "is there more than once")
            }
            parts.seen.append(member)
            switch member {
            case .format, .tags, .handle, .idempotencyKey:
                let value = try text(of: member, &scanner, line)
                guard let header = member.header else { continue }
                parts.headers.append(NamedValue(name: header.name, value: value))
            case .headers: parts.headers += try headers(&scanner, line, limits: limits)
            case .body, .bodyBase64:
                guard parts.body == nil else {
                    throw .invalid(field: member.rawValue, reason: "a line has one body")
                }
                parts.body = try body(member, &scanner, line)
            }
        }
        // The object has ended; what follows it would be an error.
        _ = try next(&scanner)
        return parts
    }

    private static func member(_ name: [UInt8]) throws(Refusal) -> Member {
        if let member = Member(rawValue: String(decoding: name, as: UTF8.self)) { return member }
        let known = Member.allCases.map(\.rawValue).joined(separator: ", ")
        throw .invalid(
            field: PlainText.shown(name.span),
            reason: "is no member of a line; there are \(known)"
        )
    }

    private static func text(
        of member: Member,
        _ scanner: inout JSONScanner,
        _ line: Span<UInt8>
    ) throws(Refusal) -> [UInt8] {
        guard case .string(let range) = try next(&scanner) else {
            throw .invalid(field: member.rawValue, reason: "must be a string")
        }
        let value = ASCII.trimmed(JSONText.decode(range, of: line))
        guard !value.isEmpty else {
            let hint = member == .tags ? "; without it everybody is meant" : ""
            throw .invalid(field: member.rawValue, reason: "is empty\(hint)")
        }
        return value
    }

    private static func body(
        _ member: Member,
        _ scanner: inout JSONScanner,
        _ line: Span<UInt8>
    ) throws(Refusal) -> [UInt8] {
        let event = try next(&scanner)
        if member == .bodyBase64 {
            guard case .string(let range) = event,
                let bytes = Base64.decode(JSONText.decode(range, of: line))
            else { throw .invalid(field: member.rawValue, reason: "must be a string of base64") }
            return bytes
        }
        switch event {
        case .string(let range): return JSONText.decode(range, of: line)
        case .number(let range), .boolean(let range): return line.bytes(in: range)
        case .beginObject, .beginArray:
            let start = scanner.position - 1
            var depth = 1
            while depth > 0 {
                switch try next(&scanner) {
                case .beginObject, .beginArray: depth += 1
                case .endObject, .endArray: depth -= 1
                case .key, .string, .number, .boolean, .null, .end: break
                }
            }
            return line.bytes(in: start..<scanner.position)
        case .null, .endObject, .endArray, .key, .end:
            throw .invalid(field: member.rawValue, reason: "is null")
        }
    }

    /// The headers of a line, their names in lower case.
    private static func headers(
        _ scanner: inout JSONScanner,
        _ line: Span<UInt8>,
        limits: CoreLimits
    ) throws(Refusal) -> [NamedValue] {
        let field = Member.headers.rawValue
        guard try next(&scanner) == .beginObject else {
            throw .invalid(field: field, reason: "must be an object")
        }
        var headers: [NamedValue] = []
        while case .key(let range) = try next(&scanner) {
            guard headers.count < limits.batches.sendLineHeadersMax else {
                throw .tooManyInRequest(
                    what: "headers of a line",
                    limit: limits.batches.sendLineHeadersMax
                )
            }
            let name = ASCII.lower(JSONText.decode(range, of: line))
            let shown = "\(field).\(PlainText.shown(name.span))"
            guard PlainText.isVisibleASCII(name) else {
                throw .invalid(field: shown, reason: "is no name of a header")
            }
            try check(name, shown: shown)
            let value = try header(shown, &scanner, line)
            guard PlainText.isPlain(value.span) else {
                throw .invalid(field: shown, reason: "must be text without control characters")
            }
            headers.append(NamedValue(name: name, value: value))
        }
        return headers
    }

    private static func header(
        _ shown: String,
        _ scanner: inout JSONScanner,
        _ line: Span<UInt8>
    ) throws(Refusal) -> [UInt8] {
        switch try next(&scanner) {
        case .string(let range): JSONText.decode(range, of: line)
        case .number(let range), .boolean(let range): line.bytes(in: range)
        case .null, .beginObject, .beginArray, .endObject, .endArray, .key, .end:
            throw .invalid(field: shown, reason: "must be a string")
        }
    }

    /// Refuses headers that are members of the line, and a time that nothing would wait for.
    private static func check(_ name: [UInt8], shown: String) throws(Refusal) {
        for member in Member.allCases {
            guard let header = member.header, ASCII.equal(name, header.name) else { continue }
            throw .invalid(field: shown, reason: "is the member '\(member.rawValue)' of a line")
        }
        guard !ASCII.equal(name, SendHeader.scheduleTime.name) else {
            throw .invalid(field: shown, reason: "a line is sent at once and cannot be scheduled")
        }
    }

    @_lifetime(scanner: copy scanner)
    private static func next(_ scanner: inout JSONScanner) throws(Refusal) -> JSONEvent {
        do throws(JSONTextError) { return try scanner.next() } catch {
            throw .invalid(field: field, reason: error.reason)
        }
    }
}

extension SendHeader {
    /// The name in lower case, as bytes.
    var name: [UInt8] { Array(rawValue.utf8) }
}
