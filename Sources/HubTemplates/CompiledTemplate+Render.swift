import HubVocabulary

extension CompiledTemplate {
    /// Fills the template.
    ///
    /// A property of the send wins over a variable of the registration; a missing one is empty.
    /// Deterministic; linear in the output, which stops growing at the limit.
    package func render(
        _ properties: PropertyBag,
        variables: PropertyBag? = nil
    ) -> RenderedTemplate {
        var source = TemplateProperties(bag: properties, variables: variables)
        let body = body.render(&source, limit: TemplateLimits.renderedBytesMax)
        let field = TemplateLimits.headerFieldBytesMax
        var filled: [NamedValue] = []
        for header in headers {
            let value = header.value.render(&source, limit: field)
            guard value.count <= field else { continue }
            filled.append(NamedValue(name: header.name, value: value))
        }
        return RenderedTemplate(
            body: body,
            expiry: renderedExpiry(&source, headers: filled),
            priority: renderedPriority(&source, headers: filled),
            headers: filled
        )
    }

    /// Whether it may say when a notification expires.
    package var hasExpiry: Bool {
        expiry != nil || headers.contains { $0.name.spells("apns-expiration") }
    }

    /// As `render(_:variables:)`, for the expiry alone.
    package func expiry(
        _ properties: PropertyBag,
        variables: PropertyBag? = nil
    ) -> TemplateExpiry {
        var source = TemplateProperties(bag: properties, variables: variables)
        let field = TemplateLimits.headerFieldBytesMax
        let filled = headers.map { header in
            NamedValue(name: header.name, value: header.value.render(&source, limit: field))
        }
        return renderedExpiry(&source, headers: filled.filter { $0.value.count <= field })
    }

    /// Whether filling the template reads any of a registration's variables.
    ///
    /// When it does not, the registration shares the parcel of all others.
    package func readsAny(of variables: PropertyBag) -> Bool {
        var programs = [body] + headers.map(\.value)
        if let expiry { programs.append(expiry) }
        if let priority { programs.append(priority) }
        return programs.contains { $0.readsAny(of: variables) }
    }

    /// The expiry template, or else the header `apns-expiration` (integer, unix seconds).
    private func renderedExpiry(
        _ source: inout TemplateProperties,
        headers: [NamedValue]
    ) -> TemplateExpiry {
        let limit = TemplateLimits.headerFieldBytesMax
        if let expiry { return Self.parseExpiry(expiry.render(&source, limit: limit)) }
        guard let header = headers.first(where: { $0.name.spells("apns-expiration") }),
            let seconds = Self.parseInteger(header.value)
        else { return .none }
        return seconds == 0 ? .transient : .at(unixSeconds: seconds)
    }

    /// The priority template, or else the header `apns-priority`.
    private func renderedPriority(
        _ source: inout TemplateProperties,
        headers: [NamedValue]
    ) -> UInt8? {
        let limit = TemplateLimits.headerFieldBytesMax
        if let priority { return Self.parsePriority(priority.render(&source, limit: limit)) }
        let header = headers.first { $0.name.spells("apns-priority") }
        return header.flatMap { Self.parsePriority($0.value) }
    }

    /// `0`, or a date and time; anything else counts as absent.
    static func parseExpiry(_ text: [UInt8]) -> TemplateExpiry {
        if ASCII.trimmed(text).elementsEqual("0".utf8) { return .transient }
        guard case .time(let time) = TimeText.parse(text.span) else { return .none }
        return .at(unixSeconds: time.milliseconds / 1_000)
    }

    /// 0...255.
    static func parsePriority(_ text: [UInt8]) -> UInt8? {
        parseInteger(text).flatMap(UInt8.init(exactly:))
    }

    /// A non-negative decimal integer, blanks around it allowed.
    static func parseInteger(_ text: [UInt8]) -> UInt64? {
        ASCII.decimal(ASCII.trimmed(text))
    }
}
