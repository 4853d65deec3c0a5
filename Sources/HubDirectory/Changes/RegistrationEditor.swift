import HubModel
import HubRules
import HubTables
import HubTags
import HubVocabulary

/// Writes registrations as a token may that came over REST.
///
/// Source: REST reference §4.4–4.10, rules B.12, C.1–C.4.
///
/// Owners of tags: a registration made over REST is its caller's, so all its tags are
/// `content.tags`, and those of them that are protected and were written with Manage count as
/// granted too. A registration in one of the device's own slots is the device's: what a Manage
/// token writes there keeps of the device's own tags those it names again, and everything else it
/// names becomes `granted`; REGISTER and TAGS replace only the device's own. So a PUT always leaves
/// exactly the tags it names, and the device never undoes a grant.
struct RegistrationEditor {
    let hub: HubState
    let grant: AccessGrant
    let now: Timestamp

    private var limits: CoreLimits { hub.terms.limits }

    /// Stores a registration under a new id.
    func create(
        _ content: RegistrationContent
    ) throws(Refusal) -> Registration {
        try insert(id: hub.makeID(), content)
    }

    /// Creates or replaces the registration with this id; every write makes a new version.
    func put(
        _ id: [UInt8],
        _ content: RegistrationContent,
        _ condition: WriteCondition
    ) throws(Refusal) -> Registration {
        let found = try hub.outbox.reading { () throws(StoreError) in try hub.table[id] }
        guard let existing = found, !existing.isExpired(now) else {
            guard found == nil else { throw .registrationGone }
            let isGone = try hub.outbox.reading { () throws(StoreError) in
                try hub.table.isDeleted(id)
            }
            if isGone { throw .registrationGone }
            guard condition == .none else { throw .registrationNotFound }
            guard RegistrationID.isWellFormed(id) else {
                throw .invalid(field: "RegistrationId", reason: "must be digits-digits-digits")
            }
            return try insert(id: id, content)
        }
        try requireRight(to: existing)
        try require(condition, existing)
        guard hub.installation(of: existing) == nil else {
            // Without its tag it would stay when the installation goes.
            throw .invalid(
                field: "Tags",
                reason: "the registration is an installation's, and is written with that; "
                    + "its tags start with $, which no others can"
            )
        }
        try hub.terms.protected.check(content.tags, for: grant)
        return try replace(existing, content)
    }

    /// Deletes a registration.
    func delete(
        _ id: [UInt8],
        _ condition: WriteCondition
    ) throws(Refusal) {
        let found = try hub.outbox.reading { () throws(StoreError) in try hub.table[id] }
        guard let existing = found, !existing.isExpired(now) else {
            throw .registrationNotFound
        }
        try requireRight(to: existing)
        try require(condition, existing)
        hub.table.remove(existing)
    }

    // MARK: Writes

    private func insert(
        id: [UInt8],
        _ content: RegistrationContent
    ) throws(Refusal) -> Registration {
        try hub.terms.protected.check(content.tags, for: grant)
        try hub.requireRoom(for: 1)
        try hub.requireRoom(for: [content.tags])
        let template = try hub.compiled(content)
        let target = try place(content, instead: nil)
        try hub.admit(new: 1, by: grant)
        var registration = Registration(
            number: try hub.newNumber(),
            id: id,
            version: 1,
            content: content,
            granted: hub.terms.grantedTags(content.tags, grant),
            target: target,
            template: template,
            since: hub.log.nextPlace,
            tagsSince: hub.log.nextPlace,
            expires: hub.lapses.endOfLife(from: hub.group.time)
        )
        hub.store(&registration, instead: nil)
        return registration
    }

    private func replace(
        _ existing: Registration,
        _ content: RegistrationContent
    ) throws(Refusal) -> Registration {
        try hub.requireRoom(for: [content.tags])
        let template = try hub.compiled(content)
        guard existing.isSameIncarnation(as: content) else {
            let target = try place(content, instead: existing)
            let isStillDevices = target.map { $0 == existing.target } ?? false
            let split =
                isStillDevices && existing.isDevicesOwn
                ? split(content.tags, existing)
                : (own: content.tags, granted: hub.terms.grantedTags(content.tags, grant))
            var registration = Registration(
                number: try hub.newNumber(),
                id: existing.id,
                version: existing.version + 1,
                content: content,
                granted: split.granted,
                target: target,
                template: template,
                since: hub.log.nextPlace,
                tagsSince: hub.log.nextPlace,
                expires: isStillDevices && existing.isDevicesOwn
                    ? existing.expires : hub.lapses.endOfLife(from: hub.group.time),
                created: existing.created
            )
            registration.content.tags = split.own
            hub.table.remove(existing)
            hub.store(&registration, instead: nil)
            return registration
        }
        var registration = existing
        registration.version += 1
        registration.content = content
        // The history compares with what held before.
        registration.content.tags = existing.content.tags
        registration.template = template
        if !existing.isDevicesOwn {
            registration.expires = hub.lapses.endOfLife(from: hub.group.time)
        }
        let split = split(content.tags, existing)
        registration.setTags(
            own: split.own,
            granted: split.granted,
            from: hub.log.nextPlace,
            first: hub.log.bounds.first,
            limits: limits
        )
        hub.store(&registration, instead: existing)
        return registration
    }

    /// Returns where the handle leads, with a slot of its own; nil for a handle of another service.
    ///
    /// A registration that stays with its device keeps one of the device's own slots, but never one
    /// that the hub gave: those tell incarnations apart. Source: rules B.12.
    private func place(
        _ content: RegistrationContent,
        instead existing: Registration?
    ) throws(Refusal) -> RegistrationTarget? {
        let limit = limits.registrations.restRegistrationsPerHandle
        let refusal = Refusal.tooMany(what: "registrations of this handle", limit: limit)
        let device = hub.device(of: content.handle, platform: content.platform)
        guard let device else {
            let all = try hub.outbox.reading { () throws(StoreError) in
                try hub.table.numbers(handle: content.handle)
            }
            let others = all.count { $0 != existing?.number }
            guard others < limit else { throw refusal }
            return nil
        }
        let places = hub.table.places(of: device)
        var others = places.givenCount
        if let target = existing?.target, target.device == device {
            if existing?.isDevicesOwn == true { return target }
            others -= 1
        }
        try hub.outbox.reading { () throws(StoreError) in try hub.table.learnSlots(of: device) }
        guard others < limit, let slot = hub.table.nextSlot(of: device) else { throw refusal }
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
        to existing: Registration
    ) throws(Refusal) {
        guard existing.granted.isEmpty || hub.terms.mayGrant(grant) else {
            throw .registrationIsGranted
        }
    }

    /// Own and granted tags after a write of these tags to an existing registration.
    private func split(
        _ tags: TagSet,
        _ existing: Registration
    ) -> (own: TagSet, granted: TagSet) {
        guard existing.isDevicesOwn else { return (tags, hub.terms.grantedTags(tags, grant)) }
        guard grant.has(.manage) else { return (tags, TagSet()) }
        let own = existing.content.tags.intersection(tags)
        return (own, tags.subtracting(own))
    }
}
