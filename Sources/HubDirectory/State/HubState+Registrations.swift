import HubModel
import HubRules
import HubTags
import HubVocabulary

// What every change of registrations needs.

extension HubState {
    /// Makes an external id, which no live registration has; that a deleted one had it is as
    /// unlikely as guessing it.
    func makeID() -> [UInt8] {
        while true {
            let id = identifiers.registration()
            if !table.mayHave(id: id) { return id }
        }
    }

    /// Returns the number of a new incarnation.
    ///
    /// - Throws: `.tooMany` when all are used up.
    func newNumber() throws(Refusal) -> RegistrationNumber {
        guard let number = table.makeNumber() else {
            throw .tooMany(what: "registrations of this hub", limit: Int(UInt32.max))
        }
        return number
    }

    /// Returns the shared template of content; nil for a native registration.
    ///
    /// - Throws: what is wrong with the template.
    func compiled(_ content: RegistrationContent) throws(Refusal) -> SharedTemplate? {
        guard let definition = content.template else { return nil }
        let (platform, limits) = (content.platform, terms.limits)
        return try table.rows.templates.compile(definition, platform: platform, limits: limits)
    }

    /// Puts a registration into the group, in place of what its number stands for, and notes when.
    func store(_ registration: inout Registration, instead existing: Registration?) {
        registration.modified = group.time
        if registration.created.milliseconds == 0 { registration.created = group.time }
        table.put(registration, instead: existing)
        if let expires = registration.expires {
            lapses.registrations.insert(expires, registration.number)
        }
        if registration.target == nil { group.answers.append(.event(.unknownHandle)) }
    }

    /// Removes a registration that no caller asked REST to remove, and notes that in the same group.
    func depart(_ registration: Registration, _ cause: DepartureCause) {
        note(registration, cause)
        table.remove(registration)
    }

    /// Notes that a registration ended, or its handle.
    func note(_ registration: Registration, _ cause: DepartureCause) {
        let tags = registration.content.tags
        let owner = tags.count > 0 ? InstallationRules.installation(ofTag: tags.tag(at: 0)) : nil
        departures.append(registration, cause, installation: owner, now: group.time)
    }

    // MARK: Installations

    /// Returns the registrations of an installation, ascending by number.
    func registrations(of id: [UInt8]) throws(StoreError) -> [Registration] {
        try table.registrations(table.numbers(tag: InstallationRules.tag(installation: id)))
    }

    /// Returns the installation that a registration belongs to.
    func installation(of registration: Registration) -> Installation? {
        let tags = registration.content.tags
        guard tags.count > 0 else { return nil }
        return InstallationRules.installation(ofTag: tags.tag(at: 0)).flatMap { installations[$0] }
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
}
