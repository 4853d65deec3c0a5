package import HubVocabulary

/// A template registration's body, expiry, priority and headers, ready to be filled.
///
/// Filling is concatenation: the body was cut into literal pieces and expressions when it was
/// compiled, and each inserted value is escaped for its place, so it can never leave its string,
/// attribute or text. Immutable and shared by all shards. Source: REST reference §7, rules E.
package struct CompiledTemplate: Hashable, Sendable {
    struct Header: Hashable, Sendable {
        var name: [UInt8]
        var value: TemplateProgram
    }

    let body: TemplateProgram
    let expiry: TemplateProgram?
    let priority: TemplateProgram?
    let headers: [Header]

    /// Compiles the parts; a blank or absent expiry or priority says nothing.
    ///
    /// - Throws: the first fault, with its position.
    package init(
        body: [UInt8],
        syntax: TemplateSyntax,
        expiry: [UInt8]? = nil,
        priority: [UInt8]? = nil,
        headers: [NamedValue] = []
    ) throws(TemplateError) {
        self.body = try Self.compile(body, syntax).program
        self.expiry = try Self.compile(expiry: expiry ?? [])
        self.priority = try Self.compile(priority: priority ?? [])
        self.headers = try Self.compile(headers: headers)
    }

    init(
        document: XMLTemplateCompiler.Document,
        definition: TemplateDefinition,
        headers: [NamedValue]
    ) throws(TemplateError) {
        body = document.program
        expiry = try Self.compile(expiry: definition.expiry)
        priority = try Self.compile(priority: definition.priority)
        self.headers = try Self.compile(headers: headers)
    }

    /// The body's program; for XML also the names that platform rules look at.
    static func compile(
        _ body: [UInt8],
        _ syntax: TemplateSyntax
    ) throws(TemplateError) -> XMLTemplateCompiler.Document {
        guard body.count <= TemplateLimits.bodyBytesMax else {
            throw TemplateError(fault: .bodyTooLarge(bytes: body.count))
        }
        guard !ASCII.trimmed(body).isEmpty else { throw TemplateError(fault: .bodyBlank) }
        switch syntax {
        case .xml: return try XMLTemplateCompiler.compile(body)
        case .json: return .init(program: try JSONTemplateCompiler.compile(body), root: [])
        case .text:
            if let offset = TextBytes.invalidUTF8Offset(body.span) {
                throw TemplateError(offset: offset, fault: .notUTF8)
            }
            return .init(program: try TemplateProgram(leaf: body, context: .plain), root: [])
        }
    }

    private static func compile(expiry: [UInt8]) throws(TemplateError) -> TemplateProgram? {
        guard let program = try compile(field: expiry, at: .expiry, as: .plain) else { return nil }
        guard !program.isLiteral || parseExpiry(program.text) != .none else {
            throw TemplateError(place: .expiry, fault: .expiryInvalid)
        }
        return program
    }

    private static func compile(priority: [UInt8]) throws(TemplateError) -> TemplateProgram? {
        guard let program = try compile(field: priority, at: .priority, as: .plain)
        else { return nil }
        guard !program.isLiteral || parsePriority(program.text) != nil else {
            throw TemplateError(place: .priority, fault: .priorityInvalid)
        }
        return program
    }

    private static func compile(headers: [NamedValue]) throws(TemplateError) -> [Header] {
        guard headers.count <= TemplateLimits.headersMax else {
            throw TemplateError(
                place: .header(""),
                fault: .tooManyHeaders
            )
        }
        var compiled: [Header] = []
        for header in headers {
            let place = TemplateError.Place.header(
                String(
                    decoding: header.name.prefix(TemplateLimits.headerFieldBytesMax),
                    as: UTF8.self
                )
            )
            guard header.name.count <= TemplateLimits.headerFieldBytesMax else {
                throw TemplateError(place: place, fault: .fieldTooLong)
            }
            guard !header.name.isEmpty, header.name.allSatisfy(isTokenByte) else {
                throw TemplateError(place: place, fault: .headerNameInvalid)
            }
            guard let value = try compile(field: header.value, at: place, as: .header) else {
                throw TemplateError(place: place, fault: .headerValueEmpty)
            }
            compiled.append(Header(name: header.name, value: value))
        }
        return compiled
    }

    /// Nil for a blank field.
    private static func compile(
        field: [UInt8],
        at place: TemplateError.Place,
        as context: TemplateContext
    ) throws(TemplateError) -> TemplateProgram? {
        if let offset = TextBytes.invalidUTF8Offset(field.span) {
            throw TemplateError(place: place, offset: offset, fault: .notUTF8)
        }
        guard field.count <= TemplateLimits.headerFieldBytesMax else {
            throw TemplateError(place: place, fault: .fieldTooLong)
        }
        guard !ASCII.trimmed(field).isEmpty else { return nil }
        do throws(TemplateError) {
            return try TemplateProgram(leaf: field, context: context)
        } catch {
            throw TemplateError(place: place, offset: error.offset, fault: error.fault)
        }
    }

    /// A character of a header's name (RFC 9110, token).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        TextBytes.isName(byte) || "!#$%&'*+-.^`|~".utf8.contains(byte)
    }
}
