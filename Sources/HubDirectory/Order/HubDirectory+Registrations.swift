import HubModel
import HubRules
import HubTags
import HubVocabulary
import HubWire

// Registrations over REST. Source: REST reference §4.4–4.10, rules B.12, C.1–C.4.
//
// Whose tags are whose: a registration made over REST is its caller's, so all its tags are
// `content.tags`, and those of them that are protected and were written with Manage count as
// granted too. A registration in one of the device's own slots is the device's: what a Manage
// token writes there keeps of the device's own tags those it names again, and everything else it
// names becomes `granted`; REGISTER and TAGS replace only the device's own. So a PUT always leaves
// exactly the tags it names, and the device never undoes a grant.

extension HubDirectory {
    /// Stores a registration under a new id.
    func create(
        _ content: RegistrationContent,
        _ grant: AccessGrant,
        now: Now
    ) throws(Refusal) -> Registration {
        try insert(id: makeID(), content, grant)
    }

    /// Creates or replaces the registration with this id; every write makes a new version.
    func put(
        _ id: [UInt8],
        _ content: RegistrationContent,
        _ condition: WriteCondition,
        _ grant: AccessGrant,
        now: Now
    ) throws(Refusal) -> Registration {
        let found = try reading { () throws(StoreError) in try table[id] }
        guard let existing = found, !existing.isExpired(now.time) else {
            guard found == nil else { throw .registrationGone }
            let isGone = try reading { () throws(StoreError) in try table.isDeleted(id) }
            if isGone { throw .registrationGone }
            guard condition == .none else { throw .registrationNotFound }
            guard RegistrationID.isWellFormed(id) else {
                throw .invalid(field: "RegistrationId", reason: "must be digits-digits-digits")
            }
            return try insert(id: id, content, grant)
        }
        try requireRight(to: existing, grant)
        try require(condition, existing)
        guard installation(of: existing) == nil else {
            // Without its tag it would stay when the installation goes.
            throw .invalid(
                field: "Tags",
                reason: "the registration is an installation's, and is written with that; "
                    + "its tags start with $, which no others can"
            )
        }
        try protected.check(content.tags, for: grant)
        return try replace(existing, content, grant)
    }

    /// Deletes a registration.
    func delete(
        _ id: [UInt8],
        _ condition: WriteCondition,
        _ grant: AccessGrant,
        now: Now
    ) throws(Refusal) {
        let found = try reading { () throws(StoreError) in try table[id] }
        guard let existing = found, !existing.isExpired(now.time) else {
            throw .registrationNotFound
        }
        try requireRight(to: existing, grant)
        try require(condition, existing)
        table.remove(existing)
    }

    // MARK: Writes

    private func insert(
        id: [UInt8],
        _ content: RegistrationContent,
        _ grant: AccessGrant
    ) throws(Refusal) -> Registration {
        try protected.check(content.tags, for: grant)
        try table.requireRoom(for: 1, limits.quota)
        try table.requireRoom(for: [content.tags], limits.quota)
        let template = try compiled(content)
        let target = try place(content, instead: nil)
        var registration = Registration(
            number: try newNumber(),
            id: id,
            version: 1,
            content: content,
            granted: grantedTags(content.tags, grant),
            target: target,
            template: template,
            since: nextPlace,
            tagsSince: nextPlace,
            expires: endOfLife
        )
        store(&registration, instead: nil)
        return registration
    }

    private func replace(
        _ existing: Registration,
        _ content: RegistrationContent,
        _ grant: AccessGrant
    ) throws(Refusal) -> Registration {
        try table.requireRoom(for: [content.tags], limits.quota)
        let template = try compiled(content)
        guard existing.isSameIncarnation(as: content) else {
            let target = try place(content, instead: existing)
            let isStillDevices = target.map { $0 == existing.target } ?? false
            let split =
                isStillDevices && existing.isDevicesOwn
                ? split(content.tags, existing, grant)
                : (own: content.tags, granted: grantedTags(content.tags, grant))
            var registration = Registration(
                number: try newNumber(),
                id: existing.id,
                version: existing.version + 1,
                content: content,
                granted: split.granted,
                target: target,
                template: template,
                since: nextPlace,
                tagsSince: nextPlace,
                expires: isStillDevices && existing.isDevicesOwn ? existing.expires : endOfLife,
                created: existing.created
            )
            registration.content.tags = split.own
            table.remove(existing)
            store(&registration, instead: nil)
            return registration
        }
        var registration = existing
        registration.version += 1
        registration.content = content
        // The history compares with what held before.
        registration.content.tags = existing.content.tags
        registration.template = template
        if !existing.isDevicesOwn { registration.expires = endOfLife }
        let split = split(content.tags, existing, grant)
        registration.setTags(
            own: split.own,
            granted: split.granted,
            from: nextPlace,
            first: bounds.first,
            limits: limits
        )
        store(&registration, instead: existing)
        return registration
    }

    /// When a registration that is written over REST now lapses; nil for never.
    private var endOfLife: Timestamp? {
        registrationLifeSeconds.map { planningTime.adding(seconds: $0) }
    }

    /// Puts a registration into the group, in place of what its number stands for, and notes when.
    func store(_ registration: inout Registration, instead existing: Registration?) {
        registration.modified = planningTime
        if registration.created.milliseconds == 0 { registration.created = planningTime }
        table.put(registration, instead: existing)
        if let expires = registration.expires { expiry.insert(expires, registration.number) }
        if registration.target == nil { answers.append(.event(.unknownHandle)) }
    }

    /// The number of a new incarnation.
    func newNumber() throws(Refusal) -> RegistrationNumber {
        guard let number = table.makeNumber() else {
            throw .tooMany(what: "registrations of this hub", limit: Int(UInt32.max))
        }
        return number
    }

    /// The shared template of content; nil for a native registration.
    func compiled(_ content: RegistrationContent) throws(Refusal) -> SharedTemplate? {
        guard let definition = content.template else { return nil }
        return try templates.compile(definition, platform: content.platform, limits: limits)
    }

    /// Returns where the handle leads, with a slot of its own; nil when no device here has it.
    ///
    /// A registration that stays with its device keeps one of the device's own slots, but never one
    /// that the hub gave: those tell incarnations apart. Source: rules B.12.
    private func place(
        _ content: RegistrationContent,
        instead existing: Registration?
    ) throws(Refusal) -> RegistrationTarget? {
        let limit = limits.restRegistrationsPerHandle
        let refusal = Refusal.tooMany(what: "registrations of this handle", limit: limit)
        let device = PushHandle.device(
            of: content.handle,
            platform: content.platform,
            hub: hub,
            secret: secret
        ) { keyGenerations[$0] }
        guard let device else {
            let all = try reading { () throws(StoreError) in
                try table.numbers(handle: content.handle)
            }
            let others = all.count { $0 != existing?.number }
            guard others < limit else { throw refusal }
            return nil
        }
        let places = table.places(of: device)
        var others = places.givenCount
        if let target = existing?.target, target.device == device {
            if existing?.isDevicesOwn == true { return target }
            others -= 1
        }
        try reading { () throws(StoreError) in try table.learnSlots(of: device) }
        guard others < limit, let slot = table.nextSlot(of: device) else { throw refusal }
        return RegistrationTarget(device: device, slot: slot)
    }

    // MARK: Rights and conditions

    private func require(
        _ condition: WriteCondition,
        _ existing: Registration
    ) throws(Refusal) {
        switch condition {
        case .none, .exists: return
        case .version(let version) where version == existing.version: return
        case .version, .never: throw .versionMismatch
        }
    }

    /// A token without Manage leaves granted tags alone.
    ///
    /// Source: rules C.4.
    private func requireRight(
        to existing: Registration,
        _ grant: AccessGrant
    ) throws(Refusal) {
        guard existing.granted.isEmpty || mayGrant(grant) else { throw .registrationIsGranted }
    }

    func mayGrant(_ grant: AccessGrant) -> Bool {
        grant.has(.manage) || protected.listenMaySetProtectedTags
    }

    /// The protected ones among tags that a Manage token writes.
    func grantedTags(_ tags: TagSet, _ grant: AccessGrant) -> TagSet {
        guard grant.has(.manage) else { return TagSet() }
        var granted = TagSet()
        for index in 0..<tags.count where protected.isProtected(tags.tag(at: index)) {
            granted.append(tags.tag(at: index))
        }
        return granted
    }

    /// Own and granted tags after a write of these tags to an existing registration.
    private func split(
        _ tags: TagSet,
        _ existing: Registration,
        _ grant: AccessGrant
    ) -> (own: TagSet, granted: TagSet) {
        guard existing.isDevicesOwn else { return (tags, grantedTags(tags, grant)) }
        guard grant.has(.manage) else { return (tags, TagSet()) }
        let own = existing.content.tags.intersection(tags)
        return (own, tags.subtracting(own))
    }
}
