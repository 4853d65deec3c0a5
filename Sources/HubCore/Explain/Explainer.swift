import HubTags

/// Says for one notification and one device why it did or did not arrive.
///
/// A pure function of what the directory knows; it looks through the same decisions as delivery, in
/// their order. Source: rules A.3, B.10.
struct Explainer {
    /// What the directory knows of the device.
    struct Progress {
        var acknowledged: UInt64 = 0
        /// Everything at or below was evaluated for it, and sent if it matched.
        var evaluatedThrough: UInt64 = 0
        var isConnected = false
        var lastSeen: Timestamp?
    }

    let record: NotificationRecord
    /// What was counted of the notification.
    let counts: CounterTable
    let progress: Progress
    let now: Timestamp
    let payloadBytesMax: Int

    /// The reason for one registration; `isDeleted` says that it is a tombstone.
    func explain(_ registration: Registration, isDeleted: Bool) -> Explanation {
        Explanation(
            registration: registration.id,
            platform: registration.content.platform,
            slot: registration.target?.slot,
            reason: reason(registration, isDeleted: isDeleted)
        )
    }

    /// The reason for a device whose handle the send itself names.
    func explainDirect(_ platform: Platform) -> Explanation {
        Explanation(
            platform: platform,
            slot: SlotNumber.direct,
            reason: arrival(platform, expires: record.expires, isTransient: record.isTransient)
        )
    }

    private func reason(_ registration: Registration, isDeleted: Bool) -> ExplainReason {
        guard record.draft.isFormat(of: registration) else {
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
        guard registration.target != nil else { return .unknownHandle }
        var expires = record.expires
        var isTransient = record.isTransient
        if registration.content.template != nil {
            guard let template = registration.template else { return .templateError }
            let own = registration.content.pushVariables
            let rendered = template.compiled.render(
                record.properties ?? PropertyBag(),
                variables: own.isEmpty ? nil : PropertyBag(own)
            )
            guard rendered.body.count <= payloadBytesMax else {
                return .invalidSize(bytes: rendered.body.count, limit: payloadBytesMax)
            }
            switch rendered.expiry {
            case .none: break
            case .transient: isTransient = true
            case .at(let seconds):
                let time = Timestamp(milliseconds: 0).adding(seconds: UInt64(max(0, seconds)))
                expires = min(expires, time)
            }
        }
        let arrival = arrival(
            registration.content.platform,
            expires: expires,
            isTransient: isTransient
        )
        switch arrival {
        case .pending, .waiting, .sentUnacknowledged: return isDeleted ? .deleted : arrival
        default: return arrival
        }
    }

    /// What became of a match.
    private func arrival(
        _ platform: Platform,
        expires: Timestamp,
        isTransient: Bool
    ) -> ExplainReason {
        if isTransient { return .transient }
        if let seen = progress.lastSeen, progress.acknowledged >= record.sequence {
            // A device also comes past what expired while it was away.
            guard expires <= now, counts[platform, .expired] > 0 else {
                return .acknowledged(lastSeen: seen)
            }
            return counts[platform, .acknowledged] == 0 ? .expired(expires) : .passed(expires)
        }
        if expires <= now { return .expired(expires) }
        if progress.isConnected { return .pending }
        if progress.evaluatedThrough >= record.sequence {
            return .sentUnacknowledged(offlineSince: progress.lastSeen)
        }
        return .waiting(offlineSince: progress.lastSeen)
    }
}
