package import HubModel
package import HubVocabulary

/// Registrations, installations and cursors of a hub that another node leads, in memory: a hub that
/// this node leads next begins with them instead of reading them all.
///
/// It follows the copy of a node that waits. On one thread at a time.
package final class WarmDirectory: CopyObserver {
    package private(set) var group: UInt64?
    /// The cursors, which follow the checkpoints and not the groups.
    package let warmCursors: WarmCursors
    package var cursors: (any CursorObserver)? { warmCursors }

    private let seed: UInt64
    private(set) var table: RegistrationTable
    private(set) var installations = InstallationTable()
    private(set) var lapses = Lapses()
    private var templates: LoadedTemplates

    /// A void one; `seed` must be drawn at random.
    package init(seed: UInt64) {
        self.seed = seed
        table = RegistrationTable(numberMax: 0, seed: seed, rows: StoredRegistrations())
        templates = LoadedTemplates(seed: seed)
        warmCursors = WarmCursors(seed: seed)
    }

    package func forget() {
        group = nil
        table = RegistrationTable(numberMax: 0, seed: seed, rows: StoredRegistrations())
        installations = InstallationTable()
        lapses = Lapses()
        templates = LoadedTemplates(seed: seed)
    }

    // MARK: Loading

    package func load(registration bytes: Span<UInt8>) throws(RecordProblem) {
        let outline = try RegistrationOutline(bytes)
        let isUndeliverable = try templates.isUndeliverable(outline, bytes, table.rows.templates)
        table.load(outline, bytes, isUndeliverable: isUndeliverable)
        if let expires = outline.expires { lapses.registrations.insert(expires, outline.number) }
    }

    package func load(_ installation: Installation) {
        installations.load(installation)
        if let expires = installation.expires {
            lapses.installations.insert(expires, installation.number)
        }
    }

    package func finish(at group: UInt64) {
        table.finishLoading()
        self.group = group
    }

    // MARK: Following

    package func take(
        _ changes: [StoredChange],
        of group: UInt64,
        instead before: [Registration]
    ) {
        guard let known = self.group, group > known else { return forget() }
        var present = Dictionary(before.map { ($0.number, $0) }) { $1 }
        for change in changes {
            switch change {
            case .put(let registration):
                let number = registration.number
                put(registration, instead: present.updateValue(registration, forKey: number))
            case .remove(let registration):
                if let before = present.removeValue(forKey: registration.number) {
                    table.follow(removalOf: before)
                }
            case .putInstallation(let installation): put(installation)
            case .removeInstallation(let installation):
                installations.follow(removalOf: installation)
            case .putSchedule, .putSettings, .removeSchedule, .cancelSchedule, .forgetSchedule,
                .revoke, .putJob, .removeJob, .putDeparture:
                break
            }
        }
        table.forgetUnusedTags()
        self.group = group
    }

    private func put(_ stored: Registration, instead before: Registration?) {
        var registration = stored
        table.rows.compile(&registration)
        table.follow(registration, instead: before)
        guard let expires = registration.expires else { return }
        lapses.registrations.insert(expires, registration.number)
        if lapses.registrations.isStale(live: table.count) {
            lapses.registrations.prune { table.facts(of: $0)?.expires }
        }
    }

    private func put(_ installation: Installation) {
        installations.follow(installation)
        guard let expires = installation.expires else { return }
        lapses.installations.insert(expires, installation.number)
        if lapses.installations.isStale(live: installations.count) {
            lapses.installations.prune { installations[$0]?.expires }
        }
    }
}
