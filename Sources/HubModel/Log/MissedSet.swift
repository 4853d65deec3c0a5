import HubTags
import HubTemplates
package import HubVocabulary

/// The notifications that a device which was away still gets, for a part of the log.
///
/// It is worked out from headers alone. Headers come in the order of the log, and are decided in
/// this order: match, expire, collapse, cap. A match replaces the one before it with the same key
/// and registration, also when it is expired itself. With a time to live of 0 it neither replaces
/// nor is replaced. Of the remaining matches the newest are kept; the others are cut and announced.
/// Matches that the device has stored already are counted, and exempt from all that. Source: rules
/// B.8–B.10.
package struct MissedSet {
    /// The fate of one match.
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
        /// Whether it is sent, and otherwise why not.
        package var fate: Fate
        /// The record's check value.
        var check: UInt32
        /// Its collapse key; empty for none.
        package var key: [UInt8]
        /// When its time is over.
        var expires: Timestamp
    }

    /// The scope of a collapse key: one registration; number 0 is a direct send.
    private struct CollapseScope: Hashable {
        var registration: UInt32
        var key: [UInt8]
    }

    /// Matches remembered at most; when there are more the oldest are cut, so that no log makes the
    /// set grow without bound.
    package static let matchesMax = 262_144

    /// Who asks, and how far, as of the last page.
    private(set) var query: LogQuery
    private(set) var now: Timestamp
    /// Everything at or below was looked at.
    private(set) var through: UInt64
    /// Matches by place; those before `start` are done with.
    ///
    /// An index that is kept counts from the first match there ever was; `gone` of them were
    /// removed.
    private var all: [Match] = []
    private var start = 0
    private var gone = 0
    private var latest: [CollapseScope: Int] = [:]
    /// Notifications with a match that is due and not stored yet.
    private var dueCount = 0
    /// The index behind the matches that the cap has cut, and that of the last match cut or purged.
    private var cutEnd = 0
    private var lastCut: Int?

    /// How many notifications were cut before `matches` begins.
    package private(set) var overflow = 0
    /// The last of these; 0 for none.
    package private(set) var overflowThrough: UInt64 = 0
    /// The fates of the matches that were cut before `matches` begins.
    package private(set) var forgottenFates = FateCounts()
    /// The place through which purged records are gone from the log, uncounted; 0 for nothing.
    var untoldThrough: UInt64 = 0
    /// Places of records that could not be read.
    var damaged: Set<UInt64> = []

    /// Nothing was looked at yet.
    package init(_ query: LogQuery, now: Timestamp) {
        self.query = query
        self.now = now
        through = query.after
    }

    /// Every match that is remembered, ascending by place.
    package var matches: ArraySlice<Match> { all[start...] }

    /// The last match that is not sent and has to be announced.
    var lastLoss: Match? {
        guard let lastCut, lastCut - gone >= start else { return nil }
        return all[lastCut - gone]
    }

    /// Looks at the next record; `record` brings its body where a template decides about its expiry.
    package mutating func add<Failure: Error>(
        _ header: RecordHeader,
        record: () throws(Failure) -> NotificationRecord?
    ) throws(Failure) {
        guard !header.isTransient else { return }
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
            guard !lifetime.isTransient else { continue }
            add(
                Match(
                    sequence: header.sequence,
                    slot: slot,
                    platform: registration.content.platform,
                    fate: .due,
                    check: header.id.check,
                    key: header.collapseKey,
                    expires: lifetime.expires
                ),
                CollapseScope(registration: registration.number.raw, key: header.collapseKey)
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
                key: header.collapseKey,
                expires: header.expires
            ),
            CollapseScope(registration: 0, key: header.collapseKey)
        )
    }

    private mutating func add(_ match: Match, _ scope: CollapseScope) {
        var match = match
        guard match.sequence > query.recountThrough else {
            all.append(match)
            return
        }
        let isExpired = match.expires <= now
        if isExpired { match.fate = .expired(match.expires) }
        if match.sequence <= query.purgedThrough {
            if !isExpired {
                match.fate = .purged
                lastCut = gone + all.count
            }
            all.append(match)
            return
        }
        if !scope.key.isEmpty {
            if let older = latest.removeValue(forKey: scope), older - gone >= start {
                replace(older - gone, by: match.sequence)
            }
            if !isExpired { latest[scope] = gone + all.count }
        }
        all.append(match)
        if isCounted(all.count - 1), !hasDue(besides: all.count - 1) { dueCount += 1 }
        if all.count - start >= 2 * Self.matchesMax { forgetOldest() }
    }

    /// A later match takes the place of one that was not sent.
    private mutating func replace(_ index: Int, by sequence: UInt64) {
        let wasCounted = isCounted(index)
        all[index].fate = .collapsed(by: sequence)
        if wasCounted, !hasDue(besides: index) { dueCount -= 1 }
        guard lastCut == gone + index else { return }
        let before = all[start..<index].lastIndex { $0.fate == .capped || $0.fate == .purged }
        lastCut = before.map { gone + $0 }
    }

    /// Whether a match is due, and its notification is one of those that the cap counts.
    private func isCounted(_ index: Int) -> Bool {
        all[index].fate == .due && all[index].sequence > query.recountThrough
    }

    /// Whether another match of the same record is due.
    private func hasDue(besides index: Int) -> Bool {
        let sequence = all[index].sequence
        var other = index - 1
        while other >= start, all[other].sequence == sequence {
            if all[other].fate == .due { return true }
            other -= 1
        }
        other = index + 1
        while other < all.count, all[other].sequence == sequence {
            if all[other].fate == .due { return true }
            other += 1
        }
        return false
    }

    /// Cuts the older half, which is far more than any device is sent.
    private mutating func forgetOldest() {
        var end = all.count - Self.matchesMax
        // Matches of one record stay together.
        while end < all.count, all[end].sequence == all[end - 1].sequence { end += 1 }
        var last: UInt64 = 0
        for index in start..<end where all[index].sequence > query.recountThrough {
            forgottenFates.add(all[index].fate)
            switch all[index].fate {
            case .expired, .collapsed: continue
            case .due, .purged, .capped: break
            }
            if all[index].sequence != last { overflow += 1 }
            last = all[index].sequence
        }
        overflowThrough = max(overflowThrough, all[end - 1].sequence)
        drop(before: end)
        removeDropped()
    }

    /// Matches before an index are done with.
    private mutating func drop(before end: Int) {
        while start < end {
            if isCounted(start), !hasDue(besides: start) { dueCount -= 1 }
            start += 1
        }
        cutEnd = max(cutEnd, gone + start)
    }

    /// Gives the memory of what is done with back.
    private mutating func removeDropped() {
        all.removeSubrange(..<start)
        gone += start
        start = 0
        latest = latest.filter { $0.value >= gone }
    }

    /// The device has come so far: everything at or below is done with.
    mutating func goOn(_ next: LogQuery, now: Timestamp) {
        query = next
        self.now = now
        var end = start
        while end < all.count, all[end].sequence <= next.after { end += 1 }
        drop(before: end)
        if start > 1_024, start * 2 > all.count { removeDropped() }
        if overflowThrough <= next.after {
            (overflow, overflowThrough) = (0, 0)
            forgottenFates = FateCounts()
        }
        if untoldThrough <= next.after { untoldThrough = 0 }
        if !damaged.isEmpty { damaged = damaged.filter { $0 > next.after } }
        through = max(through, next.after)
    }

    /// Whether what was worked out for one query holds for the next: the same session, or a later one
    /// of the same device, goes on where it was.
    func serves(_ next: LogQuery, now: Timestamp) -> Bool {
        next.device == query.device && next.after >= query.after && next.after <= through
            && next.through >= through && now >= self.now && next.handle == query.handle
            && next.recountThrough == query.recountThrough && next.deviceCap == query.deviceCap
            && next.purgedThrough == query.purgedThrough
            && next.registrations.elementsEqual(query.registrations) { one, other in
                one.number == other.number && one.version == other.version
            }
    }

    /// Everything up to a place was added.
    mutating func looked(through place: UInt64) { through = place }

    /// A match is about to be sent: its time may be over since it was looked at.
    mutating func expire(_ index: Int) {
        guard isCounted(index), all[index].expires <= now else { return }
        all[index].fate = .expired(all[index].expires)
        if !hasDue(besides: index) { dueCount -= 1 }
    }

    /// Cuts what is over the device's cap, and what was said to be cut; to be called behind the last
    /// record.
    package mutating func cut() {
        while cutEnd - gone < all.count {
            let index = cutEnd - gone
            guard dueCount > query.deviceCap || all[index].sequence <= query.cutThrough else {
                break
            }
            cutEnd += 1
            guard isCounted(index) else { continue }
            if !hasDue(besides: index) { dueCount -= 1 }
            all[index].fate = .capped
            lastCut = gone + index
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
    package func existed(at sequence: UInt64) -> Bool {
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
            draft.properties ?? PropertyBag(),
            variables: variables.isEmpty ? nil : PropertyBag(variables)
        )
    }
}
