import HubCluster
import HubMemory
import HubModel
import HubStore
import HubTestSupport
import HubVocabulary
import Synchronization
import Testing

/// The databases that must keep the same promises.
enum GroupLogKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case memory
    case postgres

    static var allCases: [GroupLogKind] {
        TemporaryPostgres.isInstalled ? [.memory, .postgres] : [.memory]
    }

    var testDescription: String { rawValue }
}

/// One hub in a database, led as often as a test likes.
final class GroupLogFixture: Sendable {
    private let kind: GroupLogKind
    private let database = MemoryDatabase()
    private let hub = PostgresHubs.name()
    private let latest = Mutex<(any GroupReading)?>(nil)

    init(_ kind: GroupLogKind) { self.kind = kind }

    /// Takes the lead; the first leader begins epoch 7.
    func lead() throws -> any GroupLog {
        let log: any GroupLog =
            switch kind {
            case .memory: database.lead()
            case .postgres: try PostgresHubs.lead(hub)
            }
        latest.withLock { $0 = log.reading }
        guard log.place.epochs.isEmpty else { return log }
        try log.begin(GroupEpoch(place: LogPlace(epoch: 7, sequence: 1), checkBelow: 0))
        return log
    }

    /// Reads what the leaders have stored; there has been one.
    var reading: any GroupReading { latest.withLock { $0 } ?? database.reading }

    /// Everything that a copy at a place is told, a new one unless told otherwise.
    func all(
        after start: CopyPlace = CopyPlace(feed: 0, head: 0, headCheck: 0),
        bytesMax: Int = .max
    ) throws -> [EncodedGroup] {
        var groups: [EncodedGroup] = []
        var place = start
        while true {
            let read = try reading.groups(after: place, bytesMax: bytesMax)
            guard let last = read.groups.last else { return groups }
            groups += read.groups
            place.feed = last.number
            place.head = last.head
        }
    }

    /// Everything that holds, by key.
    func items() throws -> [ItemKey: StoredItem] {
        var items: [ItemKey: StoredItem] = [:]
        _ = try reading.items { items[$0.key] = $0 }
        return items
    }
}

extension GroupLog {
    /// Stores the next group.
    func append(
        _ changes: [StoredChange],
        _ records: [NotificationRecord] = []
    ) throws(StoreError) {
        try append(place.next(changes, records), GroupEffect(changes, head: place.head))
    }
}

/// What a database holds, folded from its groups by a test.
struct FoldedGroups {
    private(set) var items: [ItemKey: StoredItem] = [:]
    private(set) var groups: [EncodedGroup] = []

    mutating func append(_ group: EncodedGroup, _ effect: GroupEffect) {
        groups.append(group)
        for item in effect.puts { items[item.key] = item }
        for key in effect.removals { items[key] = nil }
    }
}
