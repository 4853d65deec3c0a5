import HubModel
import HubRules
import HubTables
import HubTags
import HubTemplates
import HubVocabulary

/// Writes installations: one document each, and the registrations it stands for, in one commit.
///
/// An installation's registrations are ordinary ones. They are found by the tag that only the hub
/// writes, and told apart by tile and template; so a registration that was deleted by itself comes
/// back with the next write of its installation, and nothing else has to be kept in step.
/// Source: REST reference §5, rules B.12, C.1–C.4.
struct InstallationWriter {
    let hub: HubState
    let grant: AccessGrant
    let now: Timestamp

    private var limits: CoreLimits { hub.terms.limits }

    /// The name of a registration among those of one installation.
    private struct PartKey: Hashable {
        var tile: [UInt8]
        /// nil for the native registration.
        var template: [UInt8]?

        init(_ content: RegistrationContent) {
            tile = content.secondaryTileName
            template = content.template?.name
        }
    }

    /// A part with everything that its registration will have.
    private struct Derived {
        var content: RegistrationContent
        /// The device whose present handle it has; nil for a handle of another service.
        var device: DeviceID?
        var granted: TagSet
        var template: SharedTemplate?
        var expires: Timestamp?
    }

    /// Creates or replaces an installation; writes nothing that is there already.
    func put(
        _ draft: InstallationDraft
    ) throws(Refusal) -> Installation {
        let found = hub.installations[draft.id]
        let existing = found.flatMap { $0.isExpired(now) ? nil : $0 }
        if let existing { try requireRight(to: existing) }
        for part in draft.parts { try hub.terms.protected.check(part.tags, for: grant) }
        if let expires = draft.expires, expires <= now {
            throw .invalid(field: "/expirationTime", reason: "has passed")
        }
        let parts = try derive(draft)
        let old = try hub.outbox.reading { () throws(StoreError) in
            try hub.registrations(of: draft.id)
        }
        try requireRoom(for: parts, instead: old)
        guard let number = existing?.number ?? hub.installations.makeNumber() else {
            throw .tooMany(what: "installations of this hub", limit: Int(UInt32.max))
        }
        // Nothing below is refused: an installation is written as a whole or not at all.
        if existing == nil { found.map { hub.installations.remove($0) } }
        store(parts, instead: old, isNew: existing == nil)
        let installation = Installation(
            number: number,
            id: draft.id,
            platform: draft.platform,
            text: draft.text,
            isGranted: grant.has(.manage) && parts.contains { !$0.granted.isEmpty },
            expires: draft.expires
        )
        guard installation != existing else { return installation }
        hub.installations.put(installation)
        if let expires = installation.expires { hub.lapses.installations.insert(expires, number) }
        return installation
    }

    /// Changes an installation as a patch says; all of it or nothing.
    func patch(
        _ id: [UInt8],
        _ patch: InstallationPatch
    ) throws(Refusal) -> Installation {
        guard let existing = hub.installations[id], !existing.isExpired(now) else {
            throw .installationNotFound
        }
        try requireRight(to: existing)
        guard let document = existing.document(limits: limits) else {
            throw .internalError(reference: UInt64(existing.number.raw))
        }
        let changed = try patch.apply(to: document, limits: limits)
        return try put(try InstallationDraft(changed, limits: limits))
    }

    /// Deletes an installation with all its registrations; one that is not there is gone already.
    func delete(
        _ id: [UInt8]
    ) throws(Refusal) {
        guard let existing = hub.installations[id] else { return }
        if !existing.isExpired(now) { try requireRight(to: existing) }
        try hub.outbox.reading { () throws(StoreError) in try hub.remove(existing, nil) }
    }

    // MARK: Writing

    private func derive(
        _ draft: InstallationDraft
    ) throws(Refusal) -> [Derived] {
        let own = TagSet([InstallationRules.tag(installation: draft.id)])
        var parts: [Derived] = []
        for part in draft.parts {
            let template = try hub.compiled(part)
            var content = part
            content.template = template?.definition
            content.tags = own.union(part.tags)
            // The parts of one channel stand together; proving a handle takes time.
            let isSameHandle = parts.last?.content.handle == part.handle
            parts.append(
                Derived(
                    content: content,
                    device: isSameHandle
                        ? parts.last?.device : hub.device(of: part.handle, platform: part.platform),
                    granted: hub.terms.grantedTags(part.tags, grant),
                    template: template,
                    expires: draft.expires
                )
            )
        }
        return parts
    }

    /// At most so many registrations over REST for one handle; numbers for all of them.
    ///
    /// Source: rules C.1.
    private func requireRoom(
        for parts: [Derived],
        instead old: [Registration]
    ) throws(Refusal) {
        var wanted: [BytesKey: Int] = [:]
        let limit = limits.registrations.restRegistrationsPerHandle
        for part in parts {
            let key = BytesKey(part.device?.bytes ?? part.content.handle)
            var known = wanted[key] ?? 0
            if wanted[key] == nil {
                known = try hub.outbox.reading { () throws(StoreError) in
                    try others(part.content.handle, part.device, but: old)
                }
            }
            wanted[key] = known + 1
            guard known < limit else {
                throw .tooMany(what: "registrations of this handle", limit: limit)
            }
        }
        try hub.requireRoom(for: parts.count - old.count)
        try hub.requireRoom(for: parts.flatMap { [$0.content.tags, $0.granted] })
        guard UInt32.max - hub.table.numberMax >= UInt32(parts.count) else {
            throw .tooMany(what: "registrations of this hub", limit: Int(UInt32.max))
        }
        try hub.admit(new: parts.count - old.count, by: grant)
    }

    /// Counts the other registrations over REST for a handle; learns which slots its device had.
    private func others(
        _ handle: [UInt8],
        _ device: DeviceID?,
        but old: [Registration]
    ) throws(StoreError) -> Int {
        let numbers = Set(old.map(\.number))
        guard let device else {
            return try hub.table.numbers(handle: handle).count { !numbers.contains($0) }
        }
        try hub.table.learnSlots(of: device)
        return hub.table.places(of: device).places.count {
            $0.slot >= SlotNumber.hubFirst && !numbers.contains($0.number)
        }
    }

    /// Brings the registrations of an installation to these parts: removes, then writes.
    private func store(_ parts: [Derived], instead old: [Registration], isNew: Bool) {
        var kept: [PartKey: Registration] = [:]
        let wanted = Set(parts.map { PartKey($0.content) })
        for registration in old {
            let key = PartKey(registration.content)
            if isNew || !wanted.contains(key) || kept[key] != nil {
                if registration.isExpired(hub.group.time) { hub.note(registration, .lapsed) }
                hub.table.remove(registration)
            } else {
                kept[key] = registration
            }
        }
        for part in parts { store(part, instead: kept[PartKey(part.content)]) }
    }

    private func store(_ part: Derived, instead existing: Registration?) {
        guard let existing, existing.isSameIncarnation(as: part.content) else {
            if let existing { hub.table.remove(existing) }
            var made = Registration(
                number: newDerivedNumber(),
                id: existing?.id ?? hub.makeID(),
                version: (existing?.version ?? 0) + 1,
                content: part.content,
                granted: part.granted,
                target: target(part.device),
                template: part.template,
                since: hub.log.nextPlace,
                tagsSince: hub.log.nextPlace,
                expires: part.expires,
                created: existing?.created ?? hub.group.time
            )
            hub.store(&made, instead: nil)
            return
        }
        let isSame =
            existing.has(part.content) && existing.granted == part.granted
            && existing.expires == part.expires
        guard !isSame else { return }
        var registration = existing
        registration.version += 1
        registration.content = part.content
        // The history compares with what held before.
        registration.content.tags = existing.content.tags
        registration.template = part.template
        registration.expires = part.expires
        registration.setTags(
            own: part.content.tags,
            granted: part.granted,
            from: hub.log.nextPlace,
            first: hub.log.bounds.first,
            limits: limits
        )
        hub.store(&registration, instead: existing)
    }

    private func newDerivedNumber() -> RegistrationNumber {
        guard let number = hub.table.makeNumber() else {
            // `requireRoom` has counted them.
            preconditionFailure("no number for a registration of an installation")
        }
        return number
    }

    /// A place at a device, in the next slot that the hub gives.
    private func target(_ device: DeviceID?) -> RegistrationTarget? {
        guard let device else { return nil }
        guard let slot = hub.table.nextSlot(of: device) else {
            // `requireRoom` allows a few dozen of 65,279.
            preconditionFailure(
                "a device with \(limits.registrations.restRegistrationsPerHandle) slots is full"
            )
        }
        return RegistrationTarget(device: device, slot: slot)
    }

    /// A token without Manage leaves what the backend granted alone.
    ///
    /// Source: rules C.4.
    private func requireRight(
        to existing: Installation
    ) throws(Refusal) {
        guard !existing.isGranted || hub.terms.mayGrant(grant) else { throw .installationIsGranted }
    }
}

extension Registration {
    /// Whether the content is this registration's already, tags in the same spelling.
    fileprivate func has(_ other: RegistrationContent) -> Bool {
        content.platform == other.platform && content.handle == other.handle
            && content.tags.bytes == other.tags.bytes && content.tags == other.tags
            && content.template == other.template && content.pushVariables == other.pushVariables
            && content.secondaryTileName == other.secondaryTileName
            && content.platformFields == other.platformFields
    }
}
