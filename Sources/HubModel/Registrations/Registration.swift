package import HubTags
package import HubVocabulary
import HubWire

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
    /// The content that the owner asked for; `content.tags` is the *own* tag set.
    package var content: RegistrationContent
    /// Tags granted by the backend on top of the device's own.
    ///
    /// Source: rules C.3.
    package var granted: TagSet
    /// Where deliveries go; nil when no device of this hub has the handle.
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
