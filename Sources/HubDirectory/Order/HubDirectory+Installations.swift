import HubModel
import HubRules
import HubTags
import HubTemplates
import HubVocabulary

// Installations: one document each, and the registrations it stands for, in one commit.
// Source: REST reference §5, rules B.12, C.1–C.4.
//
// An installation's registrations are ordinary ones. They are found by the tag that only the hub
// writes, and told apart by tile and template; so a registration that was deleted by itself comes
// back with the next write of its installation, and nothing else has to be kept in step.

extension HubDirectory {
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
        /// The device whose present handle it has; nil when no device of this hub has it.
        var device: DeviceID?
        var granted: TagSet
        var template: SharedTemplate?
        var expires: Timestamp?
    }

    /// Creates or replaces an installation; writes nothing that is there already.
    func put(
        _ draft: InstallationDraft,
        _ grant: AccessGrant,
        now: Now
    ) throws(Refusal) -> Installation {
        let found = installations[draft.id]
        let existing = found.flatMap { $0.isExpired(now.time) ? nil : $0 }
        if let existing { try requireRight(to: existing, grant) }
        for part in draft.parts { try protected.check(part.tags, for: grant) }
        if let expires = draft.expires, expires <= now.time {
            throw .invalid(field: "/expirationTime", reason: "has passed")
        }
        let parts = try derive(draft, grant)
        let old = try reading { () throws(StoreError) in try registrations(of: draft.id) }
        try requireRoom(for: parts, instead: old)
        guard let number = existing?.number ?? installations.makeNumber() else {
            throw .tooMany(what: "installations of this hub", limit: Int(UInt32.max))
        }
        // Nothing below is refused: an installation is written as a whole or not at all.
        if existing == nil { found.map { installations.remove($0) } }
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
        installations.put(installation)
        if let expires = installation.expires { installationExpiry.insert(expires, number) }
        return installation
    }

    /// Changes an installation as a patch says; all of it or nothing.
    func patch(
        _ id: [UInt8],
        _ patch: InstallationPatch,
        _ grant: AccessGrant,
        now: Now
    ) throws(Refusal) -> Installation {
        guard let existing = installations[id], !existing.isExpired(now.time) else {
            throw .installationNotFound
        }
        try requireRight(to: existing, grant)
        guard let document = existing.document(limits: limits) else {
            throw .internalError(reference: UInt64(existing.number.raw))
        }
        let changed = try patch.apply(to: document, limits: limits)
        let draft = try InstallationDraft(changed, limits: limits)
        if limits.planted.has(.patchOfDocumentOnly) {
            var mistaken = existing
            mistaken.text = draft.text
            installations.put(mistaken)
            return mistaken
        }
        return try put(draft, grant, now: now)
    }

    /// Deletes an installation with all its registrations; one that is not there is gone already.
    func deleteInstallation(
        _ id: [UInt8],
        _ grant: AccessGrant,
        now: Now
    ) throws(Refusal) {
        guard let existing = installations[id] else { return }
        if !existing.isExpired(now.time) { try requireRight(to: existing, grant) }
        try reading { () throws(StoreError) in try remove(existing, nil) }
    }

    /// Removes an installation and its registrations; nothing when they cannot be read.
    ///
    /// They depart for a cause, unless a caller asked for it.
    func remove(
        _ installation: Installation,
        _ cause: DepartureCause?
    ) throws(StoreError) {
        for registration in try registrations(of: installation.id) {
            if let cause { note(registration, cause) }
            table.remove(registration)
        }
        installations.remove(installation)
    }

    /// The registrations of an installation, ascending by number.
    func registrations(of id: [UInt8]) throws(StoreError) -> [Registration] {
        try table.registrations(table.numbers(tag: InstallationRules.tag(installation: id)))
    }

    /// Whether the handle of an installation was the device's once and is no more: its key was
    /// revoked.
    ///
    /// Source: REST reference §5.5, rules C.2.
    func isChannelExpired(_ installation: Installation) throws(StoreError) -> Bool {
        let all = try registrations(of: installation.id)
        let own = all.first { $0.content.secondaryTileName.isEmpty }
        guard let own, own.target != nil else { return false }
        return device(of: own.content) == nil
    }

    // MARK: Writing

    private func derive(
        _ draft: InstallationDraft,
        _ grant: AccessGrant
    ) throws(Refusal) -> [Derived] {
        let own = TagSet([InstallationRules.tag(installation: draft.id)])
        var parts: [Derived] = []
        for part in draft.parts {
            let template = try compiled(part)
            var content = part
            content.template = template?.definition
            content.tags = own.union(part.tags)
            // The parts of one channel stand together; proving a handle takes time.
            let isSameHandle = parts.last?.content.handle == part.handle
            parts.append(
                Derived(
                    content: content,
                    device: isSameHandle ? parts.last?.device : device(of: part),
                    granted: grantedTags(part.tags, grant),
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
        let limit = limits.restRegistrationsPerHandle
        for part in parts {
            let key = BytesKey(part.device?.bytes ?? part.content.handle)
            var known = wanted[key] ?? 0
            if wanted[key] == nil {
                known = try reading { () throws(StoreError) in
                    try others(part.content.handle, part.device, but: old)
                }
            }
            wanted[key] = known + 1
            guard known < limit else {
                throw .tooMany(what: "registrations of this handle", limit: limit)
            }
        }
        try table.requireRoom(for: parts.count - old.count, limits.quota)
        try table.requireRoom(
            for: parts.flatMap { [$0.content.tags, $0.granted] },
            limits.quota
        )
        guard UInt32.max - table.numberMax >= UInt32(parts.count) else {
            throw .tooMany(what: "registrations of this hub", limit: Int(UInt32.max))
        }
    }

    /// Counts the registrations over REST for a handle, without `old`; learns which slots its
    /// device had.
    private func others(
        _ handle: [UInt8],
        _ device: DeviceID?,
        but old: [Registration]
    ) throws(StoreError) -> Int {
        let numbers = Set(old.map(\.number))
        guard let device else {
            return try table.numbers(handle: handle).count { !numbers.contains($0) }
        }
        try table.learnSlots(of: device)
        return table.places(of: device).places.count {
            $0.slot >= DevicePlaces.givenFirst && !numbers.contains($0.number)
        }
    }

    /// Brings the registrations of an installation to these parts: removes, then writes.
    private func store(_ parts: [Derived], instead old: [Registration], isNew: Bool) {
        var kept: [PartKey: Registration] = [:]
        let wanted = Set(parts.map { PartKey($0.content) })
        for registration in old {
            let key = PartKey(registration.content)
            if isNew || !wanted.contains(key) || kept[key] != nil {
                if registration.isExpired(planningTime) { note(registration, .lapsed) }
                table.remove(registration)
            } else {
                kept[key] = registration
            }
        }
        for part in parts { store(part, instead: kept[PartKey(part.content)]) }
    }

    private func store(_ part: Derived, instead existing: Registration?) {
        guard let existing, existing.isSameIncarnation(as: part.content) else {
            if let existing { table.remove(existing) }
            var made = Registration(
                number: newDerivedNumber(),
                id: existing?.id ?? makeID(),
                version: (existing?.version ?? 0) + 1,
                content: part.content,
                granted: part.granted,
                target: target(part.device),
                template: part.template,
                since: nextPlace,
                tagsSince: nextPlace,
                expires: part.expires,
                created: existing?.created ?? planningTime
            )
            store(&made, instead: nil)
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
            from: nextPlace,
            first: bounds.first,
            limits: limits
        )
        store(&registration, instead: existing)
    }

    private func newDerivedNumber() -> RegistrationNumber {
        guard let number = table.makeNumber() else {
            // `requireRoom` has counted them.
            preconditionFailure("no number for a registration of an installation")
        }
        return number
    }

    /// A place at a device, in the next slot that the hub gives.
    private func target(_ device: DeviceID?) -> RegistrationTarget? {
        guard let device else { return nil }
        guard let slot = table.nextSlot(of: device) else {
            // `requireRoom` allows a few dozen of 65,279.
            preconditionFailure("a device with \(limits.restRegistrationsPerHandle) slots is full")
        }
        return RegistrationTarget(device: device, slot: slot)
    }

    /// The device whose present handle a content has.
    private func device(of content: RegistrationContent) -> DeviceID? {
        PushHandle.device(
            of: content.handle,
            platform: content.platform,
            hub: hub,
            secret: secret
        ) { keyGenerations[$0] }
    }

    /// A token without Manage leaves what the backend granted alone.
    ///
    /// Source: rules C.4.
    private func requireRight(
        to existing: Installation,
        _ grant: AccessGrant
    ) throws(Refusal) {
        guard !existing.isGranted || mayGrant(grant) else { throw .installationIsGranted }
    }
}

// MARK: Lists

extension HubDirectory {
    /// A page of installations, ascending by number; with limit 0 only how many there are.
    ///
    /// Looks at a bounded number of rows: a page may be short, or empty, and still name a next one.
    func list(
        _ filter: InstallationFilter,
        after: InstallationNumber,
        limit: Int,
        now: Timestamp
    ) -> HubReply {
        var page: [Installation] = []
        var looked = 0
        var matched = 0
        var next: InstallationNumber?
        func take(_ installation: Installation) -> Bool {
            looked += 1
            if !installation.isExpired(now), matches(installation, filter) {
                matched += 1
                if limit > 0 { page.append(installation) }
            }
            guard limit == 0 || page.count < limit, looked < limits.installationScanMax else {
                next = installation.number
                return false
            }
            return true
        }
        if let numbers = numbers(filter.tag) {
            for number in numbers where number > after {
                if let found = installations[number], !take(found) { break }
            }
            if next == numbers.last { next = nil }
        } else {
            let looking = limits.installationScanMax
            next = installations.forEach(after: after, looking: looking, take)
        }
        return .installations(page, matched: matched, next: next, total: installations.count)
    }

    /// The installations with a tag, ascending, when few enough registrations have it; some may be
    /// among them that have not.
    private func numbers(_ tag: [UInt8]?) -> [InstallationNumber]? {
        guard let tag, table.count(tag: tag.span) <= limits.installationScanMax else { return nil }
        var found: Set<InstallationNumber> = []
        for number in table.numbers(tag: tag) {
            table.forEachTag(of: number) { tag in
                guard let id = InstallationRules.installation(ofTag: tag) else { return }
                if let installation = installations[id] { found.insert(installation.number) }
            }
        }
        return found.sorted()
    }

    private func matches(_ installation: Installation, _ filter: InstallationFilter) -> Bool {
        if let platform = filter.platform, installation.platform != platform { return false }
        guard ASCII.hasPrefix(installation.id, filter.prefix) else { return false }
        guard let tag = filter.tag else { return true }
        let numbers = table.numbers(tag: InstallationRules.tag(installation: installation.id))
        return numbers.contains { table.has(tag, $0) }
    }

    /// The installation that a registration belongs to.
    func installation(of registration: Registration) -> Installation? {
        let tags = registration.content.tags
        guard tags.count > 0 else { return nil }
        return InstallationRules.installation(ofTag: tags.tag(at: 0)).flatMap { installations[$0] }
    }
}

extension Installation {
    /// Whether its time is over.
    func isExpired(_ now: Timestamp) -> Bool { expires.map { $0 <= now } ?? false }
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
