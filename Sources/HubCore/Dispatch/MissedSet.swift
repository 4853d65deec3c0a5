import HubTags

/// What a device that was away still gets of a part of the log, worked out from headers alone.
///
/// Headers come in the order of the log, and are decided in this order: match, expire, collapse,
/// cap. A match replaces the one before it with the same key and registration, also when it is
/// expired itself; with a time to live of 0 it neither replaces nor is replaced. Of what is left the
/// newest are kept, the others are cut and announced. What the device has stored already is counted
/// and exempt from all that. Source: rules B.8–B.10.
package struct MissedSet {
    /// What becomes of one match.
    package enum Fate: Hashable, Sendable {
        /// It is sent.
        case due
        /// Its time was over.
        case expired(Timestamp)
        /// A later match replaced it.
        case collapsed(by: UInt64)
        /// More matched than the hub keeps for one device.
        case capped
        /// An operator took it back.
        case purged
    }

    /// A record that one of the device's registrations matched.
    package struct Match: Hashable, Sendable {
        /// Its place.
        package var sequence: UInt64
        /// Which registration.
        package var slot: UInt16
        /// The registration's platform.
        package var platform: Platform
        /// What becomes of it.
        package var fate: Fate
        /// The record's check value.
        var check: UInt32
        /// Its collapse key; empty for none.
        var key: [UInt8]
    }

    /// What one key means to one registration; number 0 is a direct send.
    private struct CollapseScope: Hashable {
        var registration: UInt32
        var key: [UInt8]
    }

    /// Matches remembered at most; when there are more the oldest are cut, so that no log makes the
    /// set grow without bound.
    package static let matchesMax = 262_144

    private let query: LogQuery
    private let now: Timestamp
    /// Places in `matches`, counted from the first match there ever was.
    private var latest: [CollapseScope: Int] = [:]
    private var forgotten = 0

    /// Every match that is remembered, ascending by place.
    package private(set) var matches: [Match] = []
    /// How many notifications were cut before `matches` begins.
    package private(set) var overflow = 0
    /// The last of these; 0 for none.
    package private(set) var overflowThrough: UInt64 = 0

    /// What became of the matches that were cut before `matches` begins.
    package private(set) var forgottenFates = FateCounts()

    /// Nothing was looked at yet.
    package init(_ query: LogQuery, now: Timestamp) {
        self.query = query
        self.now = now
    }

    /// Looks at the next record; `record` brings its body where a template decides about its expiry.
    package mutating func add<Failure: Error>(
        _ header: RecordHeader,
        record: () throws(Failure) -> NotificationRecord?
    ) throws(Failure) {
        guard !header.isTransient || query.planted.has(.transientInCatchUp) else { return }
        if case .handles(let handles) = header.target {
            addDirect(header, handles)
            return
        }
        for registration in query.registrations {
            guard let slot = registration.target?.slot, header.matches(registration) else {
                continue
            }
            var lifetime = Lifetime(expires: header.expires, isTransient: false)
            if registration.content.template != nil {
                // A stored template that no longer compiles cannot be rendered.
                guard let template = registration.template else { continue }
                if template.compiled.hasExpiry, let whole = try record() {
                    lifetime = header.lifetime(whole.renderedExpiry(for: registration))
                }
            }
            if header.isTransient { lifetime.expires = now.adding(seconds: 60) }
            guard !lifetime.isTransient else { continue }
            add(
                Match(
                    sequence: header.sequence,
                    slot: slot,
                    platform: registration.content.platform,
                    fate: .due,
                    check: header.id.check,
                    key: header.collapseKey
                ),
                CollapseScope(registration: registration.number.raw, key: header.collapseKey),
                expires: lifetime.expires
            )
        }
    }

    private mutating func addDirect(_ header: RecordHeader, _ handles: [[UInt8]]) {
        guard case .native(let platform) = header.format, query.isNamed(in: handles, platform)
        else { return }
        add(
            Match(
                sequence: header.sequence,
                slot: SlotNumber.direct,
                platform: platform,
                fate: .due,
                check: header.id.check,
                key: header.collapseKey
            ),
            CollapseScope(registration: 0, key: header.collapseKey),
            expires: header.expires
        )
    }

    private mutating func add(_ match: Match, _ scope: CollapseScope, expires: Timestamp) {
        var match = match
        guard
            match.sequence > query.recountThrough || query.planted.has(.collapseOfSentEntry)
        else {
            matches.append(match)
            return
        }
        let isExpired = expires <= now && !query.planted.has(.expiredDelivered)
        if match.sequence <= query.purgedThrough {
            match.fate = isExpired ? .expired(expires) : .purged
            matches.append(match)
            return
        }
        if !scope.key.isEmpty {
            let older = latest.removeValue(forKey: scope).map { $0 - forgotten }
            if let older, older >= 0 { matches[older].fate = .collapsed(by: match.sequence) }
            if !isExpired { latest[scope] = forgotten + matches.count }
        }
        if isExpired { match.fate = .expired(expires) }
        matches.append(match)
        if matches.count >= 2 * Self.matchesMax { forgetOldest() }
    }

    /// Cuts the older half, which is far more than any device is sent.
    private mutating func forgetOldest() {
        var end = matches.count - Self.matchesMax
        // Matches of one record stay together.
        while end < matches.count, matches[end].sequence == matches[end - 1].sequence { end += 1 }
        var last: UInt64 = 0
        for match in matches[..<end] where match.sequence > query.recountThrough {
            forgottenFates.add(match.fate)
            guard match.fate == .due || match.fate == .purged else { continue }
            if match.sequence != last { overflow += 1 }
            last = match.sequence
        }
        overflowThrough = max(overflowThrough, matches[end - 1].sequence)
        forgotten += end
        matches.removeSubrange(..<end)
    }

    /// Cuts what is over the device's cap, and what was said to be cut; to be called once, behind the
    /// last record.
    package mutating func cut() {
        var kept = 0
        var last: UInt64 = 0
        for index in matches.indices.reversed() where matches[index].fate == .due {
            let sequence = matches[index].sequence
            guard sequence > query.recountThrough else { return }
            if sequence != last { kept += 1 }
            last = sequence
            if kept > query.deviceCap || sequence <= query.cutThrough {
                matches[index].fate = .capped
            }
        }
    }
}

/// How many matches that a device does not get had which fate.
package struct FateCounts: Hashable, Sendable {
    /// Their time was over.
    package var expired: UInt64 = 0
    /// A later one replaced them.
    package var collapsed: UInt64 = 0
    /// There were too many.
    package var capped: UInt64 = 0
    /// An operator took them back.
    package var purged: UInt64 = 0

    /// Makes counts.
    package init(
        expired: UInt64 = 0,
        collapsed: UInt64 = 0,
        capped: UInt64 = 0,
        purged: UInt64 = 0
    ) {
        self.expired = expired
        self.collapsed = collapsed
        self.capped = capped
        self.purged = purged
    }

    /// Counts a match that is cut; it was due, unless something else had become of it before.
    mutating func add(_ fate: MissedSet.Fate) {
        switch fate {
        case .due, .capped: capped += 1
        case .expired: expired += 1
        case .collapsed: collapsed += 1
        case .purged: purged += 1
        }
    }
}

/// When a delivery stops being worth it.
package struct Lifetime: Hashable, Sendable {
    /// Its time is over then.
    package var expires: Timestamp
    /// Now or never.
    package var isTransient: Bool
}

extension RecordHeader {
    /// The earlier of the send's expiry and the template's; `0` makes the delivery transient.
    ///
    /// Source: rules B.9.
    package func lifetime(_ own: TemplateExpiry) -> Lifetime {
        if isTransient { return Lifetime(expires: expires, isTransient: true) }
        switch own {
        case .none: return Lifetime(expires: expires, isTransient: false)
        case .transient: return Lifetime(expires: id.time, isTransient: true)
        case .at(let seconds):
            let time = Timestamp(milliseconds: 0).adding(seconds: seconds)
            return Lifetime(expires: min(time, expires), isTransient: false)
        }
    }

    /// Whether a registration is of the record's format and matched at its place in the log,
    /// whatever its handle and template are worth.
    package func matches(_ registration: Registration) -> Bool {
        guard format.isFormat(of: registration) else { return false }
        switch target {
        case .broadcast: return registration.existed(at: sequence)
        case .tags(let expression):
            return registration.tags(at: sequence).map(expression.matches(tags:)) ?? false
        case .handles: return false
        case .slots(let targets):
            return registration.existed(at: sequence)
                && registration.target.map(targets.contains) == true
        }
    }
}

extension Registration {
    /// Whether its tags at a place are known, whatever they were.
    private func isKnown(at sequence: UInt64) -> Bool {
        if sequence >= tagsSince.sequence { return true }
        if let historyCut { return sequence >= historyCut.sequence }
        return true
    }

    /// Whether `tags(at:)` says something for a place.
    fileprivate func existed(at sequence: UInt64) -> Bool {
        sequence >= since.sequence && isKnown(at: sequence)
    }
}

extension NotificationFormat {
    /// Whether a registration's platform and kind are those that a send is for.
    package func isFormat(of registration: Registration) -> Bool {
        switch self {
        case .native(let platform):
            registration.content.template == nil && registration.content.platform == platform
        case .template: registration.content.template != nil
        }
    }
}

extension NotificationRecord {
    /// When a template registration's own word says that this notification expires.
    func renderedExpiry(for registration: Registration) -> TemplateExpiry {
        guard let template = registration.template else { return .none }
        let variables = registration.content.pushVariables
        return template.compiled.expiry(
            properties ?? PropertyBag(),
            variables: variables.isEmpty ? nil : PropertyBag(variables)
        )
    }
}
