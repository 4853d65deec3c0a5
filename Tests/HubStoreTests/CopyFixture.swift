import Foundation
import HubCluster
@testable import HubMemory
import HubModel
@testable import HubStore
import HubTestSupport
import HubVocabulary
import Testing

/// Everything that a copy has told, compared with each change that comes.
final class CopyListener: CopyObserver {
    private(set) var group: UInt64?
    private(set) var registrations: [RegistrationNumber: [UInt8]] = [:]
    private(set) var installations: [[UInt8]: Installation] = [:]
    /// How often everything was loaded.
    private(set) var loads = 0
    private(set) var faults: [String] = []
    /// Runs with each registration that is loaded.
    var onLoad: () -> Void = {}

    func forget() {
        group = nil
        registrations = [:]
        installations = [:]
    }

    func load(registration bytes: Span<UInt8>) throws(RecordProblem) {
        let registration = try RegistrationCodec.decode(bytes)
        registrations[registration.number] = RegistrationCodec.encode(registration)
        onLoad()
    }

    func load(_ installation: Installation) { installations[installation.key] = installation }

    func finish(at group: UInt64) {
        self.group = group
        loads += 1
    }

    func take(_ changes: [StoredChange], of group: UInt64, instead before: [Registration]) {
        guard let known = self.group else { return }
        if group <= known { faults.append("group \(group) behind \(known)") }
        self.group = group
        for registration in before {
            let bytes = RegistrationCodec.encode(registration)
            if registrations[registration.number] != bytes {
                faults.append("another \(registration.number.raw) before group \(group)")
            }
        }
        var present = Set(before.map(\.number))
        for change in changes {
            switch change {
            case .put(let registration):
                let number = registration.number
                if registrations[number] != nil, !present.contains(number) {
                    faults.append("\(number.raw) is not among those before group \(group)")
                }
                present.insert(number)
                registrations[number] = RegistrationCodec.encode(registration)
            case .remove(let registration):
                present.remove(registration.number)
                registrations[registration.number] = nil
            case .putInstallation(let installation): load(installation)
            case .removeInstallation(let installation): installations[installation.key] = nil
            default: break
            }
        }
    }

    /// Whether a store has the same, as far as it is told.
    func agrees(with contents: Contents) -> Bool {
        Set(registrations.values) == Set(contents.registrations)
            && installations.values.sorted { $0.key.lexicographicallyPrecedes($1.key) }
                == contents.installations.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    }
}

/// Reads of a database whose node is told to end behind so many items.
struct EndingReading: GroupReading {
    let reading: any GroupReading
    let ending: StoreEnding
    let itemsMax: Int

    func place() throws(StoreError) -> GroupPlace? { try reading.place() }

    func groups(after place: CopyPlace, bytesMax: Int) throws(StoreError) -> GroupsRead {
        try reading.groups(after: place, bytesMax: bytesMax)
    }

    func items(
        _ body: (StoredItem) throws(StoreError) -> Void
    ) throws(StoreError) -> GroupPlace {
        var count = 0
        return try reading.items { item throws(StoreError) in
            count += 1
            if count == itemsMax { ending.end() }
            try body(item)
        }
    }

    func cursorJournal(behind mark: JournalMark?) throws(StoreError) -> JournalNews {
        try reading.cursorJournal(behind: mark)
    }

    func cursors(
        _ body: ([StoredCursor]) throws(StoreError) -> Void
    ) throws(StoreError) -> JournalMark? {
        try reading.cursors(body)
    }
}

extension ClusterFixture {
    /// The copy of a node of the fixture's database.
    func standby(
        _ listener: CopyListener,
        _ name: String = "standby",
        ending: StoreEnding = StoreEnding()
    ) throws -> StandbyCopy {
        var limits = StoreLimits()
        limits.clockDoubtMilliseconds = 0
        limits.sliceRecordsMax = 9
        return try StandbyCopy(
            folder: path(name),
            limits: limits,
            observer: listener,
            ending: ending
        )
    }

    /// Goes on with a copy as the leader of its hub.
    func lead(_ copy: StandbyCopy) throws -> ClusterStore {
        try ClusterStore(groups: database.lead(), taking: copy, epochSeed: 9)
    }
}
