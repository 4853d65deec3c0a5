import HubModel
import HubVocabulary

/// The notifications of a lane that wait by themselves.
struct DeferredRows {
    /// Seconds for which a row holds back later notifications of its registration.
    private static let holdSeconds: UInt64 = 60

    private var rows: [DeferredRow.Key: DeferredRow] = [:]
    /// The sequences of each registration's rows, ascending.
    private var sequences: [UInt32: [UInt64]] = [:]
    /// The hash of collapse key and target of the rows that have one, and the rows of each.
    private var collapse: [DeferredRow.Key: UInt64] = [:]
    private var replaceable: [UInt64: Set<DeferredRow.Key>] = [:]
    /// Stored rows, whose hashes are not known yet, by their records.
    private var unread: [UInt64: [DeferredRow.Key]] = [:]
    /// By due time; entries of rows that are gone or have moved are passed over.
    private var queue: [(due: Timestamp, key: DeferredRow.Key)] = []
    /// Rows that came due while their registration was busy.
    private var parked: [UInt32: [DeferredRow.Key]] = [:]

    init(_ stored: [DeferredRow]) {
        for row in stored.sorted(by: { $0.key < $1.key }) {
            add(row, collapse: nil)
            unread[row.sequence, default: []].append(row.key)
        }
    }

    var count: Int { rows.count }
    /// The first record that the log must keep for a row.
    var needed: UInt64? { rows.keys.map(\.sequence).min() }
    /// The records of the rows, one for each row.
    var records: [UInt64] { rows.keys.map(\.sequence) }
    /// When the next row is due.
    var due: Timestamp? { queue.first?.due }

    /// Adds a row, or another attempt of one that is there.
    mutating func add(_ row: DeferredRow, collapse hash: UInt64?) {
        if let hash { note(hash, of: row.key) }
        if rows.updateValue(row, forKey: row.key) == nil {
            var list = sequences[row.registration] ?? []
            list.insert(row.sequence, at: list.firstIndex { $0 > row.sequence } ?? list.count)
            sequences[row.registration] = list
        }
        push((row.due, row.key))
    }

    @discardableResult
    mutating func remove(_ key: DeferredRow.Key) -> DeferredRow? {
        guard let row = rows.removeValue(forKey: key) else { return nil }
        sequences[key.registration]?.removeAll { $0 == key.sequence }
        if sequences[key.registration]?.isEmpty == true { sequences[key.registration] = nil }
        if let hash = collapse.removeValue(forKey: key) {
            replaceable[hash]?.remove(key)
            if replaceable[hash]?.isEmpty == true { replaceable[hash] = nil }
        }
        return row
    }

    // MARK: Collapse

    private mutating func note(_ hash: UInt64, of key: DeferredRow.Key) {
        collapse[key] = hash
        replaceable[hash, default: []].insert(key)
    }

    func collapse(of key: DeferredRow.Key) -> UInt64? { collapse[key] }

    /// The rows that a newer record with this hash replaces, ascending.
    func keys(replacedBy hash: UInt64) -> [DeferredRow.Key] { (replaceable[hash] ?? []).sorted() }

    /// The records of stored rows whose hashes are not known yet, ascending.
    var unknown: [UInt64] { unread.keys.sorted() }

    /// A record of stored rows has this hash.
    mutating func learn(_ hash: UInt64?, of sequence: UInt64) {
        let keys = unread.removeValue(forKey: sequence) ?? []
        guard let hash else { return }
        for key in keys where rows[key] != nil { note(hash, of: key) }
    }

    // MARK: Rows

    /// The rows of one record, ascending.
    func keys(of sequence: UInt64) -> [DeferredRow.Key] {
        rows.keys.filter { $0.sequence == sequence }.sorted()
    }

    /// Takes the next row that is due out of the queue; it stays a row.
    mutating func next(now: Timestamp) -> DeferredRow? {
        while let first = queue.first {
            guard let row = rows[first.key], row.due == first.due else {
                pop()
                continue
            }
            guard row.due <= now else { return nil }
            pop()
            return row
        }
        return nil
    }

    /// Puts a row back whose attempt could not be made.
    mutating func requeue(_ key: DeferredRow.Key) {
        if let row = rows[key] { push((row.due, key)) }
    }

    /// Lets a row that is due wait until its registration is not busy; others go on.
    mutating func park(_ key: DeferredRow.Key) { parked[key.registration, default: []].append(key) }

    /// A registration is not busy: its rows that are due come again.
    mutating func unpark(_ registration: UInt32) {
        guard !parked.isEmpty else { return }
        for key in parked.removeValue(forKey: registration) ?? [] { requeue(key) }
    }

    func contains(_ key: DeferredRow.Key) -> Bool { rows[key] != nil }

    /// Whether an earlier row of a registration is due so soon that a later record waits for it.
    func holds(_ registration: UInt32, before sequence: UInt64, now: Timestamp) -> Bool {
        guard let list = sequences[registration] else { return false }
        return list.contains { earlier in
            guard earlier < sequence else { return false }
            let key = DeferredRow.Key(sequence: earlier, registration: registration)
            guard let row = rows[key] else { return false }
            return row.due <= now.adding(seconds: Self.holdSeconds)
        }
    }

    // MARK: A heap by due time, then by key

    private func isBefore(_ left: Int, _ right: Int) -> Bool {
        (queue[left].due, queue[left].key) < (queue[right].due, queue[right].key)
    }

    private mutating func push(_ entry: (due: Timestamp, key: DeferredRow.Key)) {
        queue.append(entry)
        var place = queue.count - 1
        while place > 0, isBefore(place, (place - 1) / 2) {
            queue.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    private mutating func pop() {
        queue.swapAt(0, queue.count - 1)
        queue.removeLast()
        var place = 0
        while true {
            var least = place
            for child in [2 * place + 1, 2 * place + 2]
            where child < queue.count && isBefore(child, least) { least = child }
            guard least != place else { return }
            queue.swapAt(place, least)
            place = least
        }
    }
}
