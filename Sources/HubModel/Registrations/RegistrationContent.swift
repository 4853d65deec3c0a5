package import HubTags
package import HubTemplates
package import HubVocabulary
package import HubWire

/// The content of a registration that a caller asks for, without identity, place or history.
///
/// Validated by `RegistrationContent.validated()` before a command carries it.
package struct RegistrationContent: Sendable {
    /// The platform whose sends reach it.
    package var platform: Platform
    /// The push handle in its canonical spelling: Apple tokens upper-case hex, others as given.
    ///
    /// Baidu: `USERID-CHANNELID`. Browser: the endpoint.
    package var handle: [UInt8]
    /// Tags the caller sets.
    package var tags: TagSet
    /// The template, or nil for a native registration.
    package var template: TemplateDefinition?
    /// Per-device template variables (REST reference §7.8), in the order given.
    package var pushVariables: [NamedValue]
    /// WNS or MPNS secondary tile label; empty for none.
    package var secondaryTileName: [UInt8]
    /// Browser keys, or Baidu's message type, by element name; emitted back as given.
    package var platformFields: [NamedValue]

    /// Makes content.
    package init(
        platform: Platform,
        handle: [UInt8],
        tags: TagSet,
        template: TemplateDefinition? = nil,
        pushVariables: [NamedValue] = [],
        secondaryTileName: [UInt8] = [],
        platformFields: [NamedValue] = []
    ) {
        self.platform = platform
        self.handle = handle
        self.tags = tags
        self.template = template
        self.pushVariables = pushVariables
        self.secondaryTileName = secondaryTileName
        self.platformFields = platformFields
    }

    /// Bytes of everything in it, about.
    package var bodyBytes: Int {
        func size(_ values: [NamedValue]) -> Int {
            values.reduce(0) { $0 + $1.name.count + $1.value.count }
        }
        var bytes = handle.count + tags.bytes.count + secondaryTileName.count
        bytes += size(pushVariables) + size(platformFields)
        guard let template else { return bytes }
        return bytes + template.name.count + template.body.count + size(template.headers)
    }

    /// Native or template.
    package var kind: RegistrationKind { template == nil ? .native : .template }
}
