package import HubCluster
package import HubModel
import Synchronization

/// The model of a cluster's database, of one hub; outlives those who use it.
///
/// Requests are carried out one at a time; tests say the fate of the next ones before.
package final class MemoryDatabase: Sendable {
    /// How a request ended, as its sender sees it.
    enum Attempt {
        case done
        case refusedByFence
        case unanswered
        case failed(StoreError)
    }

    let contents = Mutex(DatabaseContents())

    /// An empty database.
    package init() {}

    /// Takes the lead, whichever leader there is.
    package func lead() -> MemoryGroupLog {
        let place = contents.withLock { contents in
            contents.arrive()
            var place = contents.place ?? GroupPlace()
            place.fence += 1
            contents.place = place
            return place
        }
        return MemoryGroupLog(self, place: place)
    }

    /// Sets the fates of the next requests that write; those behind are answered.
    package func expect(_ fates: [RequestFate]) { contents.withLock { $0.fates = fates } }

    /// Refuses every read from now on; nil for none.
    package func refuseReads(_ error: StoreError?) { contents.withLock { $0.reads = error } }

    /// A copy with the same contents.
    package func copy() -> MemoryDatabase {
        let copy = MemoryDatabase()
        copy.setBack(to: self)
        return copy
    }

    /// Loses everything that came after another moment; leaders do not hear of it.
    package func setBack(to earlier: MemoryDatabase) {
        let found = earlier.contents.withLock { $0 }
        contents.withLock { $0 = found }
    }

    /// Reads for copies.
    package var reading: any GroupReading { MemoryGroupReader(database: self) }

    func attempt(_ request: @escaping DatabaseContents.Request) -> Attempt {
        contents.withLock { contents in
            contents.arrive()
            switch contents.fates.isEmpty ? .answered : contents.fates.removeFirst() {
            case .answered: return request(&contents) ? .done : .refusedByFence
            case .lost: return .unanswered
            case .answerLost:
                _ = request(&contents)
                return .unanswered
            case .late:
                contents.late.append(request)
                return .unanswered
            case .refused(let error): return .failed(error)
            }
        }
    }
}

extension DatabaseContents {
    /// Carries out the requests that were on their way.
    fileprivate mutating func arrive() {
        let requests = late
        late = []
        for request in requests { _ = request(&self) }
    }
}

/// Reads of a model of a database.
private struct MemoryGroupReader: GroupReading {
    let database: MemoryDatabase

    func place() throws(StoreError) -> GroupPlace? { try contents().place }

    func groups(after place: CopyPlace, bytesMax: Int) throws(StoreError) -> GroupsRead {
        try contents().groups(after: place, bytesMax: bytesMax)
    }

    func items(
        _ body: (StoredItem) throws(StoreError) -> Void
    ) throws(StoreError) -> GroupPlace {
        let contents = try contents()
        guard let place = contents.place else { throw .unavailable(reason: "no such hub") }
        for (_, item) in contents.items.sorted(by: { $0.key < $1.key }) { try body(item) }
        return place
    }

    func cursorJournal(behind mark: JournalMark?) throws(StoreError) -> JournalNews {
        try contents().progress.journal.news(behind: mark)
    }

    func cursors(
        _ body: ([StoredCursor]) throws(StoreError) -> Void
    ) throws(StoreError) -> JournalMark? {
        let progress = try contents().progress
        let cursors = progress.cursorsByDevice
        for start in stride(from: 0, to: cursors.count, by: 3) {
            try body(Array(cursors[start..<min(start + 3, cursors.count)]))
        }
        return progress.journal.last
    }

    private func contents() throws(StoreError) -> DatabaseContents {
        let contents = database.contents.withLock { $0 }
        if let error = contents.reads { throw error }
        return contents
    }
}
