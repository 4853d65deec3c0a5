package import HubTags
import HubTemplates
package import HubVocabulary
import HubWire

/// One registration of a connected device, with its place in the shard's index.
///
/// The values that fan-out needs lie here, in 56 bytes. While it is in the index, its tags are
/// there and nowhere else. Values that only some registrations have are beside it; so are those
/// that only sessions ask for that read the log.
package struct SessionRegistration {
    /// The values that most live registrations do without.
    private final class Rest {
        /// Empty while the index has them.
        let tags: TagSet
        let formerTags: [FormerTags]
        /// 0 when the history of the tags is complete.
        let historyCut: UInt64
        let pushVariables: [NamedValue]

        init(
            tags: TagSet,
            formerTags: [FormerTags],
            historyCut: UInt64,
            pushVariables: [NamedValue]
        ) {
            self.tags = tags
            self.formerTags = formerTags
            self.historyCut = historyCut
            self.pushVariables = pushVariables
        }

        /// The same with other tags; nil when nothing is left to keep.
        func with(_ tags: TagSet) -> Rest? {
            if tags.isEmpty, formerTags.isEmpty, historyCut == 0, pushVariables.isEmpty {
                return nil
            }
            return Rest(
                tags: tags,
                formerTags: formerTags,
                historyCut: historyCut,
                pushVariables: pushVariables
            )
        }
    }

    /// No slot of the index has this number.
    private static let notIndexed = UInt32.max

    private let version: UInt64
    private let sinceSequence: UInt64
    private let tagsSinceSequence: UInt64
    /// The compiled template; nil for a native registration, and for one that does not compile.
    package let template: SharedTemplate?
    private var rest: Rest?
    /// Its number inside the hub.
    package let number: RegistrationNumber
    private var indexed = Self.notIndexed
    private let targetSlot: UInt16
    private let hasTarget: Bool
    /// Whether it is a template's; otherwise it is native.
    package let isTemplate: Bool
    private let isShaped: Bool
    /// The platform whose sends reach it.
    package let platform: Platform

    /// The registration as a session has it.
    package init(_ registration: Registration) {
        let content = registration.content
        number = registration.number
        version = registration.version
        sinceSequence = registration.since.sequence
        tagsSinceSequence = registration.tagsSince.sequence
        template = registration.template
        platform = content.platform
        isTemplate = content.template != nil
        targetSlot = registration.target?.slot ?? 0
        hasTarget = registration.target != nil
        let own = content.pushVariables
        let isRead = registration.template?.compiled.readsAny(of: PropertyBag(own)) ?? false
        isShaped = !own.isEmpty && isRead
        rest = Rest(
            tags: registration.tags,
            formerTags: registration.formerTags,
            historyCut: registration.historyCut?.sequence ?? 0,
            pushVariables: own
        )
    }

    /// Which slot of its device it is; nil when it leads nowhere.
    package var slotOfDevice: UInt16? { hasTarget ? targetSlot : nil }

    /// Not 0 when variables of its own shape its parcels: no other registration gets the same
    /// bytes.
    package var variables: UInt32 { isShaped ? number.raw : 0 }

    /// Its template's variables, in the order given.
    package var pushVariables: [NamedValue] { rest?.pushVariables ?? [] }

    /// Below this sequence number the history of its tags was cut; 0 when it is complete.
    package var historyCut: UInt64 { rest?.historyCut ?? 0 }

    /// Whether it can be delivered to: it leads somewhere, and a template compiles.
    package var isDeliverable: Bool { hasTarget && (!isTemplate || template != nil) }

    /// Its slot of the tag index while the session is live.
    package var slot: SlotIndex? { indexed == Self.notIndexed ? nil : SlotIndex(raw: indexed) }

    /// Its tags, own and granted; none while the index has them.
    package var tags: TagSet { rest?.tags ?? TagSet() }

    /// The index has its tags from now on.
    package mutating func enter(_ slot: SlotIndex) {
        indexed = slot.raw
        rest = rest?.with(TagSet())
    }

    /// The index has it no more; these are its tags.
    package mutating func leave(with tags: TagSet) {
        indexed = Self.notIndexed
        if rest == nil, tags.isEmpty { return }
        let former = rest ?? Rest(tags: tags, formerTags: [], historyCut: 0, pushVariables: [])
        rest = former.with(tags)
    }

    /// Whether this is the registration, in the same slot.
    package func isSame(as other: Registration) -> Bool {
        number == other.number && slotOfDevice == other.target?.slot
    }

    /// Whether sends of this format are for it, from its first place on.
    package func isMeant(by format: NotificationFormat, at sequence: UInt64) -> Bool {
        guard sequence >= sinceSequence else { return false }
        switch format {
        case .native(let platform): return !isTemplate && self.platform == platform
        case .template: return isTemplate
        }
    }

    /// Returns the values that decide about matches and parcels, as a registration.
    ///
    /// Values that only its owner asks for are empty.
    ///
    /// For one that is not in the index. Of places only the sequence number was kept, which alone
    /// orders them.
    package func registration(of device: DeviceID) -> Registration {
        precondition(indexed == Self.notIndexed, "the index has the tags of \(number.raw)")
        func place(_ sequence: UInt64) -> LogPlace { LogPlace(epoch: 0, sequence: sequence) }
        let noWords = TemplateDefinition(name: [], body: [])
        return Registration(
            number: number,
            id: [],
            version: version,
            content: RegistrationContent(
                platform: platform,
                handle: [],
                tags: tags,
                template: isTemplate ? template?.definition ?? noWords : nil,
                pushVariables: pushVariables
            ),
            granted: TagSet(),
            target: slotOfDevice.map { RegistrationTarget(device: device, slot: $0) },
            template: template,
            since: place(sinceSequence),
            tagsSince: place(tagsSinceSequence),
            formerTags: rest?.formerTags ?? [],
            historyCut: historyCut > 0 ? place(historyCut) : nil
        )
    }
}
