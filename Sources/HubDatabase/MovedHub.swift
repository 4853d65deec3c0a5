import HubCluster
import HubModel
import HubVocabulary

/// The sum of what a hub has stored, by which files and database are compared.
package struct MovedHub: Equatable, Sendable {
    /// The hub's name.
    package let name: String
    /// Notifications in the log.
    package private(set) var records = 0
    /// Registrations, installations, schedules and the rest of what holds now.
    package private(set) var items = 0
    /// Devices whose place is known.
    package private(set) var cursors = 0
    /// Notifications that have counters.
    package private(set) var counted = 0
    /// Checksums of all of them, each kind for itself.
    private var sums: [UInt64] = [0, 0, 0]

    init(name: String) { self.name = name }

    mutating func add(_ group: EncodedGroup) {
        guard let part = group.records else { return }
        records += Int(part.count)
        sums[0] &+= UInt64(part.checksum(of: group.number))
    }

    /// Items come in any order.
    mutating func add(_ item: StoredItem) {
        items += 1
        sums[1] &+= UInt64(item.checksum)
    }

    mutating func add(_ cursor: StoredCursor) {
        cursors += 1
        var checksum = Checksum([UInt64(cursors)])
        checksum.append(CursorBytes.pack([cursor]))
        sums[2] &+= UInt64(checksum.value)
    }

    mutating func addCounters(of notifications: Int) { counted += notifications }
}
