import HubModel
import HubRules
import HubTags
import HubVocabulary
import HubWire

/// Why a device's request was not carried out: a number for RESULT and a sentence for logs.
private struct DeviceRefusal: Error {
    var error: ErrorNumber
    var detail: String
}

/// Writes what a device asks of its own slots.
///
/// Source: Protocol, registration frames; rules C.1–C.4.
struct DeviceWriter {
    let hub: HubState
    let device: DeviceID
    let now: Timestamp

    private var limits: CoreLimits { hub.terms.limits }

    /// Carries out a request within the group and says how its slot stands then.
    ///
    /// All that it may need is read first: nothing is refused for a read once something has changed.
    func plan(_ request: DeviceRequest) -> DeviceOutcome {
        let all: [Registration]
        do throws(StoreError) { all = try hub.table.registrations(of: device) } catch {
            hub.outbox.tell(.readRefused(error))
            return DeviceOutcome(slot: request.slot).refused(by: error)
        }
        do throws(DeviceRefusal) {
            switch request {
            case .register(let slot, let content, let ttl, let ifETag):
                try require(ifETag, all)
                try register(content, in: try own(slot), ttl, all)
            case .tags(let slot, let replace, let add, let remove, let ifETag):
                try require(ifETag, all)
                try setTags(try own(slot), replace, add, remove, all)
            case .unregister(let slot):
                try unregister(slot, all)
            }
            let left = hub.table.registrations(of: device, knowing: all)
            return outcome(request.slot, left)
        } catch {
            var outcome = DeviceOutcome(error: error.error, slot: request.slot)
            outcome.etag = DeviceETag.ofOwn(hub.table.registrations(of: device, knowing: all))
            outcome.detail = error.detail.truncated(toBytes: 200)
            return outcome
        }
    }

    // MARK: Requests

    private func register(
        _ asked: RegistrationContent,
        in slot: UInt16,
        _ ttl: UInt32,
        _ all: [Registration]
    ) throws(DeviceRefusal) {
        try requireFree(asked.tags)
        try check(asked.tags)
        var content = asked
        content.handle = hub.handle(of: device)
        let template = try mapped { () throws(Refusal) in try hub.compiled(asked) }
        content.template = template?.definition
        let expires = ttl == 0 ? nil : now.adding(seconds: UInt64(ttl))
        let place = all.first { $0.target?.slot == slot }
        var existing = place
        if let place, place.isExpired(now) {
            hub.depart(place, .lapsed)
            existing = nil
        }
        if let existing, existing.isSameIncarnation(as: content) {
            content.keepBackendFields(of: existing.content)
            update(existing, content, template, expires, ttl: ttl)
            return
        }
        let made = existing == nil ? 1 : 0
        try mapped { () throws(Refusal) in try hub.requireRoom(for: made) }
        var registration = Registration(
            number: try mapped { () throws(Refusal) in try hub.newNumber() },
            id: existing?.id ?? hub.makeID(),
            version: (existing?.version ?? 0) + 1,
            content: content,
            // What the backend granted is the device's, whatever it registers as.
            granted: existing?.granted ?? TagSet(),
            target: RegistrationTarget(device: device, slot: slot),
            template: template,
            since: hub.log.nextPlace,
            tagsSince: hub.log.nextPlace,
            expires: expires,
            created: existing?.created ?? hub.group.time
        )
        if let existing { hub.table.remove(existing) }
        hub.store(&registration, instead: nil)
    }

    /// Replaces content within an incarnation; writes nothing when nothing changes.
    private func update(
        _ existing: Registration,
        _ content: RegistrationContent,
        _ template: SharedTemplate?,
        _ expires: Timestamp?,
        ttl: UInt32
    ) {
        let isSame =
            existing.content.tags == content.tags
            && existing.content.template == content.template
        if isSame, !existing.isWorthExtending(to: expires, ttl: ttl) { return }
        var registration = existing
        registration.version += 1
        registration.template = template
        registration.expires = expires
        registration.content = content
        registration.content.tags = existing.content.tags
        registration.setTags(
            own: content.tags,
            granted: existing.granted,
            from: hub.log.nextPlace,
            first: hub.log.bounds.first,
            limits: limits
        )
        hub.store(&registration, instead: existing)
    }

    private func setTags(
        _ slot: UInt16,
        _ replace: Bool,
        _ add: TagSet,
        _ remove: TagSet,
        _ all: [Registration]
    ) throws(DeviceRefusal) {
        try requireFree(add)
        let found = all.first { $0.target?.slot == slot }
        guard let existing = found, !existing.isExpired(now) else {
            throw DeviceRefusal(error: .notFound, detail: "slot \(slot) is not registered")
        }
        // A tag that is both removed and added is set afterwards.
        let own = replace ? add : existing.content.tags.subtracting(remove).union(add)
        guard own != existing.content.tags else { return }
        try check(own)
        var registration = existing
        registration.version += 1
        registration.setTags(
            own: own,
            granted: existing.granted,
            from: hub.log.nextPlace,
            first: hub.log.bounds.first,
            limits: limits
        )
        hub.store(&registration, instead: existing)
    }

    private func unregister(_ slot: UInt16, _ all: [Registration]) throws(DeviceRefusal) {
        let own = all.filter(\.isDevicesOwn)
        let named = own.filter { slot == DeviceRequest.everySlot || $0.target?.slot == slot }
        guard slot == DeviceRequest.everySlot || !named.isEmpty else {
            throw DeviceRefusal(error: .notFound, detail: "slot \(slot) is not registered")
        }
        for registration in named { hub.depart(registration, .unregistered) }
    }

    // MARK: Checks

    private func own(_ slot: UInt16) throws(DeviceRefusal) -> UInt16 {
        guard Int(slot) <= WireLimits.slotMax else {
            let detail = "slot \(slot); a device has slots 0 to \(WireLimits.slotMax)"
            throw DeviceRefusal(error: .tooManyRegistrations, detail: detail)
        }
        return slot
    }

    private func require(_ ifETag: UInt64, _ all: [Registration]) throws(DeviceRefusal) {
        guard ifETag == 0 || ifETag == DeviceETag.ofOwn(all) else {
            throw DeviceRefusal(error: .etagMismatch, detail: "the slots have changed")
        }
    }

    /// A device never names a tag that is not its own to give.
    ///
    /// Source: rules C.3.
    private func requireFree(_ tags: TagSet) throws(DeviceRefusal) {
        guard let tag = hub.terms.protected.firstProtected(in: tags) else { return }
        throw DeviceRefusal(error: .forbidden, detail: String(decoding: tag, as: UTF8.self))
    }

    private func check(_ tags: TagSet) throws(DeviceRefusal) {
        let limit = limits.tags.tagsPerRegistrationMax
        guard tags.count <= limit else {
            throw DeviceRefusal(error: .tooManyTags, detail: "\(tags.count) tags; at most \(limit)")
        }
        try mapped { () throws(Refusal) in
            try RegistrationRules.check(tags, limits: limits)
            try hub.requireRoom(for: [tags])
        }
    }

    private func mapped<Value>(
        _ body: () throws(Refusal) -> Value
    ) throws(DeviceRefusal) -> Value {
        do throws(Refusal) { return try body() } catch {
            throw DeviceRefusal(error: error.deviceError, detail: error.detail)
        }
    }

    // MARK: Answers

    private func outcome(
        _ slot: UInt16,
        _ all: [Registration]
    ) -> DeviceOutcome {
        var outcome = DeviceOutcome(slot: slot, etag: DeviceETag.ofOwn(all))
        let found = all.first { $0.target?.slot == slot }
        guard let registration = found else { return outcome }
        outcome.applied = UInt16(clamping: registration.content.tags.count)
        if let expires = registration.expires, expires > now {
            let left = (expires.milliseconds - now.milliseconds + 999) / 1_000
            outcome.expiresSeconds = UInt32(clamping: left)
        }
        return outcome
    }
}

extension DeviceRequest {
    /// Names every slot in UNREGISTER.
    static var everySlot: UInt16 { 0xFFFF }
}

extension Registration {
    /// Whether a repeated registration moves the end of its time far enough to be written: by more
    /// than half of what was asked, or nearer.
    fileprivate func isWorthExtending(to new: Timestamp?, ttl: UInt32) -> Bool {
        guard let old = expires, let new else { return expires != new }
        return new < old || new.milliseconds - old.milliseconds > UInt64(ttl) * 500
    }
}

extension RegistrationContent {
    /// Takes over what devices cannot set.
    fileprivate mutating func keepBackendFields(of existing: RegistrationContent) {
        pushVariables = existing.pushVariables
        secondaryTileName = existing.secondaryTileName
        platformFields = existing.platformFields
    }
}

extension Refusal {
    /// The error number for a refusal by the registration rules.
    fileprivate var deviceError: ErrorNumber {
        switch self {
        case .protectedTag, .registrationIsGranted, .installationIsGranted, .missingRight,
            .namespaceRuleNeeded:
            .forbidden
        case .invalid(let field, _): field == "Tags" ? .invalidTag : .invalidTemplate
        case .tooLarge(let field, _, _): field == "Tags" ? .tooManyTags : .invalidTemplate
        // Limits of the hub; those of the device have their own numbers.
        case .tooMany, .tooManyInRequest: .quota
        case .storeFull: .storage
        case .storeUnavailable, .storeUnanswered, .stopping, .throttled: .unavailable
        case .tooFast: .rateLimited
        case .registrationNotFound, .registrationGone, .installationNotFound: .notFound
        case .versionMismatch: .etagMismatch
        case .tokenMissing, .tokenMalformed, .signatureInvalid, .tokenExpired,
            .audienceMismatch, .hubNotFound, .hubExists, .credentialChanged, .notificationNotFound,
            .linkRefused,
            .feedbackNotFound,
            .scheduleNotFound, .jobNotFound, .deviceNotFound, .idempotencyConflict,
            .internalError:
            .internalError
        }
    }
}

extension String {
    /// At most so many bytes of UTF-8, cut between characters.
    fileprivate func truncated(toBytes limit: Int) -> String {
        var short = self
        while short.utf8.count > limit { short.removeLast() }
        return short
    }
}
