package import HubVocabulary

extension CompiledTemplate {
    /// Compiles a registration's template by the rules of its platform.
    ///
    /// Windows: XML, or anything for `wns/raw`; a missing `X-WNS-Type` is taken from the root
    /// element and added to the headers. Windows Phone: a Notification with Toast or Tile, or
    /// anything for the raw notification classes. Apple: headers begin with `apns-`. All others:
    /// a JSON object. Source: REST reference §4.15, §7.7.
    /// - Throws: the first fault, with its position.
    package init(_ definition: TemplateDefinition, platform: Platform) throws(TemplateError) {
        switch platform {
        case .windows: try self.init(windows: definition)
        case .windowsPhone: try self.init(windowsPhone: definition)
        case .apple:
            try Self.checkApple(definition.headers)
            try self.init(definition, syntax: .json)
        case .gcm, .fcmV1, .adm, .baidu, .browser, .xiaomi:
            try self.init(definition, syntax: .json)
        }
    }

    private init(_ definition: TemplateDefinition, syntax: TemplateSyntax) throws(TemplateError) {
        try self.init(
            body: definition.body,
            syntax: syntax,
            expiry: definition.expiry,
            priority: definition.priority,
            headers: definition.headers
        )
    }

    private init(windows definition: TemplateDefinition) throws(TemplateError) {
        var headers = definition.headers
        if let type = headers.first(where: { $0.name.spells("x-wns-type") })?.value {
            let kind = ASCII.trimmed(type)
            if kind.spells("wns/raw") {
                try self.init(definition, syntax: .init(rawBody: definition.body))
                return
            }
            let known = ["wns/toast", "wns/tile", "wns/badge"].contains { kind.spells($0) }
            guard known || TemplateExpression.begins(type) else {
                throw TemplateError(place: .header("X-WNS-Type"), fault: .typeHeaderInvalid)
            }
            try self.init(definition, syntax: .xml)
            return
        }
        let document = try Self.compile(definition.body, .xml)
        let kinds = ["toast", "tile", "badge"]
        guard let kind = kinds.first(where: { document.root.elementsEqual($0.utf8) }) else {
            throw TemplateError(place: .header("X-WNS-Type"), fault: .typeHeaderMissing)
        }
        let type = NamedValue(name: Array("X-WNS-Type".utf8), value: Array("wns/\(kind)".utf8))
        headers.append(type)
        try self.init(document: document, definition: definition, headers: headers)
    }

    private init(windowsPhone definition: TemplateDefinition) throws(TemplateError) {
        let classes = definition.headers.first { $0.name.spells("x-notificationclass") }
        if let number = classes.flatMap({ Self.parseInteger($0.value) }), Self.isRaw(class: number)
        {
            try self.init(definition, syntax: .init(rawBody: definition.body))
            return
        }
        let document = try Self.compile(definition.body, .xml)
        let child = Self.localName(document.firstChild ?? [])
        let isKnown = child.elementsEqual("Toast".utf8) || child.elementsEqual("Tile".utf8)
        guard Self.localName(document.root).elementsEqual("Notification".utf8), isKnown else {
            throw TemplateError(fault: .rootInvalid)
        }
        try self.init(document: document, definition: definition, headers: definition.headers)
    }

    /// Classes of raw notifications: 3–10, 13–20, 23–31.
    ///
    /// Source: REST reference §8.4.
    package static func isRaw(class number: UInt64) -> Bool {
        (3...10).contains(number) || (13...20).contains(number) || (23...31).contains(number)
    }

    private static func localName(_ name: [UInt8]) -> ArraySlice<UInt8> {
        name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name[...]
    }

    private static func checkApple(_ headers: [NamedValue]) throws(TemplateError) {
        for header in headers {
            let name = String(
                decoding: header.name.prefix(TemplateLimits.headerFieldBytesMax),
                as: UTF8.self
            )
            guard header.name.prefix(5).spells("apns-") else {
                throw TemplateError(place: .header(name), fault: .appleHeaderName)
            }
            guard !TemplateExpression.begins(header.value) else { continue }
            let isPriority = header.name.spells("apns-priority")
            let isExpiration = header.name.spells("apns-expiration")
            let isFine =
                isPriority
                ? parsePriority(header.value) != nil
                : !isExpiration || parseInteger(header.value) != nil
            guard isFine else {
                throw TemplateError(place: .header(name), fault: .appleHeaderValue)
            }
        }
    }
}
