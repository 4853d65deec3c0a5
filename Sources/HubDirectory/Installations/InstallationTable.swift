package import HubModel
package import HubVocabulary

/// All installations of a hub, by id and by number.
///
/// As for registrations: changes of a group are made at once and taken back when the store refuses
/// the group.
package final class InstallationTable: GroupPart {
    /// Boxed, so that the number of a deleted installation costs one word.
    private final class Row {
        let installation: Installation
        init(_ installation: Installation) { self.installation = installation }
    }

    /// An installation that the group has changed, and its state before.
    private struct Touched {
        var before: Installation?
        /// The last state, also when it was made and removed by the same group.
        var last: Installation
    }

    private var rows: [Row?] = []
    private var byKey: [BytesKey: InstallationNumber] = [:]
    private var touched: [Touched] = []
    private var touchedIndex: [InstallationNumber: Int] = [:]
    private var numberMaxBefore: UInt32 = 0

    /// The highest number ever given.
    private(set) var numberMax: UInt32 = 0

    /// Live installations.
    package var count: Int { byKey.count }

    /// How many installations the group touched.
    var touchedCount: Int { touched.count }

    /// Takes an installation from the store.
    func load(_ installation: Installation) {
        numberMax = max(numberMax, installation.number.raw)
        numberMaxBefore = numberMax
        link(installation)
    }

    /// Takes an installation that another node's hub has stored.
    func follow(_ installation: Installation) {
        unlink(installation.number)
        load(installation)
    }

    /// Removes an installation that another node's hub has removed.
    func follow(removalOf installation: Installation) { unlink(installation.number) }

    /// The number of the next new installation; nil when all are used up.
    func makeNumber() -> InstallationNumber? {
        guard numberMax < .max else { return nil }
        numberMax += 1
        return InstallationNumber(numberMax)
    }

    /// Inserts or replaces.
    func put(_ installation: Installation) {
        touch(installation)
        unlink(installation.number)
        link(installation)
    }

    /// Removes.
    func remove(_ installation: Installation) {
        touch(installation)
        unlink(installation.number)
    }

    /// The group's changes for the store: removals first, since an id may be in use again.
    var storedChanges: [StoredChange] {
        let gone = touched.filter { self[$0.last.number] == nil }
        return gone.map { .removeInstallation($0.last) }
            + touched.compactMap { self[$0.last.number].map(StoredChange.putInstallation) }
    }

    func settle(_ outcome: GroupOutcome, _ news: inout GroupNews) {
        if !outcome.areChangesDurable {
            for entry in touched { unlink(entry.last.number) }
            for entry in touched { if let before = entry.before { link(before) } }
            numberMax = numberMaxBefore
        }
        forgetGroup()
    }

    // MARK: Queries

    /// The live installation with a number.
    package subscript(number: InstallationNumber) -> Installation? {
        Int(number.raw) < rows.count ? rows[Int(number.raw)]?.installation : nil
    }

    /// The live installation with an id, in any case.
    package subscript(id: [UInt8]) -> Installation? {
        byKey[BytesKey(ASCII.lower(id))].flatMap { self[$0] }
    }

    /// Live installations above a number, ascending, until `body` says no; looks at so many numbers,
    /// living or not.
    ///
    /// - Returns: the last number looked at; nil when there are no more.
    package func forEach(
        after number: InstallationNumber,
        looking count: Int,
        _ body: (Installation) -> Bool
    ) -> InstallationNumber? {
        var raw = number.raw
        var left = count
        while raw < numberMax, left > 0 {
            raw += 1
            left -= 1
            guard let found = self[InstallationNumber(raw)] else { continue }
            if !body(found) { break }
        }
        return raw < numberMax ? InstallationNumber(raw) : nil
    }

    // MARK: Indexes

    private func touch(_ installation: Installation) {
        if let index = touchedIndex[installation.number] {
            touched[index].last = installation
            return
        }
        touchedIndex[installation.number] = touched.count
        touched.append(Touched(before: self[installation.number], last: installation))
    }

    private func forgetGroup() {
        touched.removeAll(keepingCapacity: true)
        touchedIndex.removeAll(keepingCapacity: true)
        numberMaxBefore = numberMax
    }

    private func link(_ installation: Installation) {
        let index = Int(installation.number.raw)
        if index >= rows.count {
            rows.append(contentsOf: repeatElement(nil, count: index + 1 - rows.count))
        }
        rows[index] = Row(installation)
        byKey[BytesKey(installation.key)] = installation.number
    }

    private func unlink(_ number: InstallationNumber) {
        guard let installation = self[number] else { return }
        rows[Int(number.raw)] = nil
        let key = BytesKey(installation.key)
        if byKey[key] == number { byKey[key] = nil }
    }
}
