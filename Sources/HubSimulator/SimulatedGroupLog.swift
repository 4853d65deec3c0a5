import HubCluster
import HubMemory
import HubModel
import HubVocabulary

/// The database as a leader's store uses it: requests and answers are lost or late, and the process
/// ends in the middle of what it does.
final class SimulatedGroupLog: GroupLog {
    private unowned let cluster: Cluster
    let node: SimulatedNode
    let run: UInt64
    private(set) var log: MemoryGroupLog
    /// The lead was given up with a group in doubt.
    var isOver = false
    /// The group that the writer has handed over.
    var group: CommitGroup?

    init(_ log: MemoryGroupLog, _ node: SimulatedNode, of cluster: Cluster) {
        self.log = log
        self.node = node
        self.cluster = cluster
        run = node.lease.run
    }

    var place: GroupPlace { log.place }

    func append(_ group: EncodedGroup, _ effect: GroupEffect) throws(StoreError) {
        try begin()
        defer { cluster.database.tables.expect([]) }
        if cluster.world.mistake == .doubtDropped, cluster.world.oneIn(20) {
            try log.twin().append(group, effect)
            noteStored()
            throw .unavailable(reason: "no answer")
        }
        do throws(StoreError) { try log.append(group, effect) } catch {
            guard error == .fenced, cluster.world.mistake == .commitWithoutFence else {
                throw error
            }
            let other = cluster.database.tables.lead()
            guard other.place.feed + 1 == group.number else { throw error }
            log = other
            try log.append(group, effect)
        }
        noteStored()
        guard cluster.world.strikes(.crashBeforeCopy, oneIn: 150) else { return }
        cluster.crash(node)
        throw .fenced
    }

    private func noteStored() {
        if let group { cluster.stored(group, by: run) }
    }

    func checkpoint(_ batch: CheckpointBatch, reports: NodeReports) throws(StoreError) {
        try begin()
        defer { cluster.database.tables.expect([]) }
        try log.checkpoint(batch, reports: reports)
    }

    func begin(_ epoch: GroupEpoch) throws(StoreError) {
        try log.begin(epoch)
        cluster.begun(epoch)
    }

    func purge(through place: UInt64) throws(StoreError) { try log.purge(through: place) }

    func trim(_ extent: TrimExtent) throws(StoreError) -> Bool {
        try begin()
        defer { cluster.database.tables.expect([]) }
        return try log.trim(extent)
    }

    func probe() throws(StoreError) {
        try begin()
        defer { cluster.database.tables.expect([]) }
        try log.probe()
    }

    func forEachCursor(_ body: (StoredCursor) -> Void) throws(StoreError) {
        try log.forEachCursor(body)
    }

    func cursorJournal(behind mark: JournalMark) throws(StoreError) -> JournalNews {
        try log.cursorJournal(behind: mark)
    }

    func counters(of sequence: UInt64) throws(StoreError) -> [CounterDelta] {
        try log.counters(of: sequence)
    }

    func lanes() throws(StoreError) -> [StoredLane] { try log.lanes() }

    func relayFailures(
        of sequence: UInt64,
        platform: Platform
    ) throws(StoreError) -> [RelayFailure] {
        try log.relayFailures(of: sequence, platform: platform)
    }

    var reading: any GroupReading { log.reading }

    /// A group on its way may arrive behind the end of its sender.
    func close() {}

    // MARK: Fates

    /// Draws what becomes of the next requests.
    private func begin() throws(StoreError) {
        guard !isOver else { throw .fenced }
        let world = cluster.world
        var fates: [RequestFate] = []
        while fates.count < 4 {
            if world.strikes(.lostRequest, oneIn: 40) {
                fates.append(.lost)
            } else if world.strikes(.lostAnswer, oneIn: 40) {
                fates.append(.answerLost)
            } else if world.strikes(.lateRequest, oneIn: 40) {
                fates.append(.late)
            } else {
                break
            }
        }
        if fates.isEmpty {
            if world.time < cluster.fullUntil {
                fates = [.refused(.full)]
            } else if world.strikes(.refusedChanges, oneIn: 60) {
                fates = [.refused(.unavailable(reason: "drawn"))]
            }
        }
        cluster.database.tables.expect(fates)
    }
}
