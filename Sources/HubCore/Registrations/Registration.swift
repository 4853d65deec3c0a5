package import HubTags
package import HubWire

/// The words of a template registration, as given; compiled once into `SharedTemplate`.
package struct TemplateDefinition: Hashable, Sendable {
    /// At most 200 bytes; may be empty.
    package var name: [UInt8]
    /// JSON object or XML document, at most 8,192 bytes.
    package var body: [UInt8]
    /// Expiry template; empty for none.
    package var expiry: [UInt8]
    /// Priority template (Apple); empty for none.
    package var priority: [UInt8]
    /// WNS, MPNS or APNS headers, values may be expressions; in the order given.
    package var headers: [NamedValue]

    /// Makes a definition.
    package init(
        name: [UInt8],
        body: [UInt8],
        expiry: [UInt8] = [],
        priority: [UInt8] = [],
        headers: [NamedValue] = []
    ) {
        self.name = name
        self.body = body
        self.expiry = expiry
        self.priority = priority
        self.headers = headers
    }
}

/// One header or push variable: a name and a value, both UTF-8.
package struct NamedValue: Hashable, Sendable {
    /// The name as given.
    package var name: [UInt8]
    /// The value as given.
    package var value: [UInt8]

    /// Makes a pair.
    package init(name: [UInt8], value: [UInt8]) {
        self.name = name
        self.value = value
    }
}

/// Which device and slot a registration's handle leads to.
///
/// Source: rules B.12, C.1.
package struct RegistrationTarget: Hashable, Sendable {
    /// The device whose handle it is.
    package var device: DeviceID
    /// 0..15 chosen by the device, 0x0100..0xFFFE given by the hub.
    package var slot: UInt16

    /// Makes a target.
    package init(device: DeviceID, slot: UInt16) {
        self.device = device
        self.slot = slot
    }
}

/// What a caller asks to be stored: a registration without identity, place or history.
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

    /// Native or template.
    package var kind: RegistrationKind { template == nil ? .native : .template }
}

/// An earlier tag set of a registration and the first place at which it no longer held.
package struct FormerTags: Sendable {
    /// The set.
    package var tags: TagSet
    /// Records at this sequence number or above see a later set.
    package var until: LogPlace

    /// Makes an entry of the history.
    package init(tags: TagSet, until: LogPlace) {
        self.tags = tags
        self.until = until
    }
}

/// One row: a handle bound to tags, optionally with a template.
///
/// Source: REST reference §4.1.
package struct Registration: Sendable {
    /// Dense number inside the hub.
    package var number: RegistrationNumber
    /// The external id, `digits-digits-digit`, unguessable.
    package var id: [UInt8]
    /// Goes up by one with each write; shown as `W/"n"`.
    package var version: UInt64
    /// What the owner asked for; `content.tags` is the *own* tag set.
    package var content: RegistrationContent
    /// Tags granted by the backend on top of the device's own.
    ///
    /// Source: rules C.3.
    package var granted: TagSet
    /// Where deliveries go; nil when the handle is none of ours.
    package var target: RegistrationTarget?
    /// The compiled template, shared by all registrations with the same definition.
    package var template: SharedTemplate?
    /// Nothing before this place ever reaches this incarnation.
    ///
    /// Source: rules B.12.
    package var since: LogPlace
    /// Since when the present tags hold.
    package var tagsSince: LogPlace
    /// Earlier tag sets, oldest first, at most 64 and 65,536 bytes.
    ///
    /// Source: rules A.6.
    package var formerTags: [FormerTags]
    /// Tag history below this place was cut; nil when it is complete.
    package var historyCut: LogPlace?
    /// When it lapses; nil for never.
    package var expires: Timestamp?
    /// When its id was first stored.
    package var created: Timestamp
    /// When it was last written.
    package var modified: Timestamp

    /// Makes a registration; the directory is the only caller outside tests and stores.
    package init(
        number: RegistrationNumber,
        id: [UInt8],
        version: UInt64,
        content: RegistrationContent,
        granted: TagSet,
        target: RegistrationTarget?,
        template: SharedTemplate?,
        since: LogPlace,
        tagsSince: LogPlace,
        formerTags: [FormerTags] = [],
        historyCut: LogPlace? = nil,
        expires: Timestamp? = nil,
        created: Timestamp = Timestamp(milliseconds: 0),
        modified: Timestamp = Timestamp(milliseconds: 0)
    ) {
        self.number = number
        self.id = id
        self.version = version
        self.content = content
        self.granted = granted
        self.target = target
        self.template = template
        self.since = since
        self.tagsSince = tagsSince
        self.formerTags = formerTags
        self.historyCut = historyCut
        self.expires = expires
        self.created = created
        self.modified = modified
    }

    /// Own and granted tags together.
    package var tags: TagSet { granted.count == 0 ? content.tags : content.tags.union(granted) }

    /// The tags as they were for the record at `sequence`; nil when this registration did not exist,
    /// or when the history of its tags was cut above it.
    ///
    /// The one function that decides "as of acceptance" for live delivery, catch-up and
    /// explanations. Sequence numbers go on across epochs, so they alone order places.
    /// Source: rules A.3.
    package func tags(at sequence: UInt64) -> TagSet? {
        guard sequence >= since.sequence else { return nil }
        if sequence >= tagsSince.sequence { return tags }
        if let historyCut, sequence < historyCut.sequence { return nil }
        for former in formerTags where sequence < former.until.sequence { return former.tags }
        return tags
    }
}

/// A compiled template that many registrations share; `key` is equal exactly for equal definitions
/// within one process.
package final class SharedTemplate: Sendable {
    /// Distinguishes templates within one hub and process; never 0.
    package let key: UInt32
    /// The words it was compiled from.
    package let definition: TemplateDefinition
    /// The result.
    package let compiled: CompiledTemplate

    /// Shares a compiled template.
    package init(key: UInt32, definition: TemplateDefinition, compiled: CompiledTemplate) {
        self.key = key
        self.definition = definition
        self.compiled = compiled
    }
}
