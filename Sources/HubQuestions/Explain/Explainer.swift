import HubDirectory
import HubModel
import HubTags
import HubTemplates
import HubVocabulary

/// Says for one notification and one device why it did or did not arrive.
///
/// A pure function of what the directory knows; it looks through the same decisions as delivery, in
/// their order. Source: rules A.3, B.10.
struct Explainer {
    /// The device's progress, as the directory knows it.
    struct Progress {
        var acknowledged: UInt64 = 0
        /// Everything at or below was evaluated for it, and sent if it matched.
        var evaluatedThrough: UInt64 = 0
        /// Below this place a tag history of one of its registrations was cut; 0 for none.
        var historyCut: UInt64 = 0
        var isConnected = false
        var lastSeen: Timestamp?
    }

    let record: NotificationRecord
    /// The counters of the notification.
    let counts: CounterTable
    let progress: Progress
    let now: Timestamp
    let payloadBytesMax: Int
    /// The place through which an operator purged records.
    let purgedThrough: UInt64
    /// The first place that the log holds.
    let logFirst: UInt64
    /// The notification that replaces this one at a registration, nil for a direct send; nil for none.
    let newer: (Registration?) -> NotificationName?
    /// The reason of a registration whose handle is of a push service.
    let relay: (Registration) -> ExplainReason

    /// The reason for one registration; `isDeleted` says that it is a tombstone.
    func explain(_ registration: Registration, isDeleted: Bool) -> Explanation {
        Explanation(
            registration: registration.id,
            platform: registration.content.platform,
            slot: registration.target?.slot,
            reason: reason(registration, isDeleted: isDeleted),
            device: registration.target?.device,
            tagsThen: tagsThen(registration, isDeleted: isDeleted)
        )
    }

    /// The tags of a registration when the record was accepted, held against its expression.
    private func tagsThen(_ registration: Registration, isDeleted: Bool) -> TagsThen? {
        let isGone = isDeleted && record.sequence >= registration.tagsSince.sequence
        guard !isGone, let tags = registration.tags(at: record.sequence) else { return nil }
        let held = registration.placesOfTags(at: record.sequence, first: logFirst)
        var then = TagsThen(tags, since: held.since, until: held.until)
        if case .tags(let expression) = record.draft.target {
            then.terms = expression.terms(tags: tags)
        }
        return then
    }

    /// The reason for a device whose handle the send itself names.
    func explainDirect(_ platform: Platform) -> Explanation {
        Explanation(
            platform: platform,
            slot: SlotNumber.direct,
            reason: arrival(
                platform,
                Lifetime(expires: record.expires, isTransient: record.isTransient)
            ) { newer(nil) }
        )
    }

    /// Returns the reason alone.
    func reason(_ registration: Registration, isDeleted: Bool) -> ExplainReason {
        guard record.draft.format.isFormat(of: registration) else {
            let has: NotificationFormat =
                registration.content.template == nil
                ? .native(registration.content.platform) : .template
            return .formatDiffers(
                wanted: record.draft.format,
                has: has,
                of: registration.content.platform
            )
        }
        guard record.sequence >= registration.since.sequence else {
            return .notRegisteredThen(since: registration.since.sequence)
        }
        // A tombstone's tags end where it was deleted.
        if isDeleted, record.sequence >= registration.tagsSince.sequence { return .deleted }
        guard let tags = registration.tags(at: record.sequence) else { return .historyCut }
        switch record.draft.target {
        case .broadcast: break
        case .tags(let expression):
            if let part = expression.failingPart(tags: tags) { return .tagsDiffer(part: part) }
        case .handles: return .notNamed
        case .slots(let targets):
            guard let target = registration.target, targets.contains(target) else {
                return .notNamed
            }
        }
        guard registration.target != nil else { return relay(registration) }
        var lifetime = record.header.lifetime(.none)
        if registration.content.template != nil {
            guard let template = registration.template else { return .templateError }
            let own = registration.content.pushVariables
            let rendered = template.compiled.render(
                record.draft.properties ?? PropertyBag(),
                variables: own.isEmpty ? nil : PropertyBag(own)
            )
            guard rendered.body.count <= payloadBytesMax else {
                return .invalidSize(bytes: rendered.body.count, limit: payloadBytesMax)
            }
            lifetime = record.header.lifetime(rendered.expiry)
        }
        let arrival = arrival(registration.content.platform, lifetime) { newer(registration) }
        switch arrival {
        case .pending, .waiting, .sentUnacknowledged: return isDeleted ? .deleted : arrival
        default: return arrival
        }
    }

    /// Returns the reason for a registration that matched.
    private func arrival(
        _ platform: Platform,
        _ lifetime: Lifetime,
        newer: () -> NotificationName?
    ) -> ExplainReason {
        if lifetime.isTransient { return .transient }
        let expires = lifetime.expires
        if let seen = progress.lastSeen, progress.acknowledged >= record.sequence {
            return passed(platform, expires: expires, seen: seen, newer: newer)
        }
        if expires <= now { return .expired(expires) }
        if record.sequence <= purgedThrough { return .purged }
        let mayBeReplaced = !progress.isConnected || counts[platform, .collapsed] > 0
        if !record.draft.collapseKey.isEmpty, mayBeReplaced, let newer = newer() {
            return .collapsed(by: newer)
        }
        if progress.isConnected { return .pending }
        if progress.evaluatedThrough >= record.sequence {
            return .sentUnacknowledged(offlineSince: progress.lastSeen)
        }
        return .waiting(offlineSince: progress.lastSeen)
    }

    /// Returns the reason for a match that the device's position is past.
    ///
    /// A position also moves past matches that the device does not get.
    private func passed(
        _ platform: Platform,
        expires: Timestamp,
        seen: Timestamp,
        newer: () -> NotificationName?
    ) -> ExplainReason {
        let isStored = counts[platform, .acknowledged] > 0
        if expires <= now, counts[platform, .expired] > 0 {
            return isStored ? .passed(expires) : .expired(expires)
        }
        if counts[platform, .collapsed] > 0, let newer = newer() {
            return isStored ? .collapsedOrStored(by: newer) : .collapsed(by: newer)
        }
        if counts[platform, .capped] > 0 { return isStored ? .overCapOrStored : .overCap }
        if counts[platform, .purged] > 0 { return isStored ? .purgedOrStored : .purged }
        if record.sequence < progress.historyCut { return .historyCutOrStored }
        return .acknowledged(lastSeen: seen)
    }
}
