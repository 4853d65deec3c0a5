import HubVocabulary

/// The part of a log that its threads share: its slices, and the values that concern all of them.
struct LogState: Sendable {
    /// Ascending; empty for a new log.
    var slices: [LogSlice] = []
    /// Ascending.
    var epochs: [EpochRow] = []
    var logFirst: UInt64 = 1
    var purged: UInt64 = 0
    var keysBefore = Timestamp(milliseconds: 0)
    var reads: UInt64 = 0
    /// Slices whose lists were found damaged; `untoldDamage` has those not reported to the operator
    /// yet.
    var damagedLists: Set<Int> = []
    var untoldDamage: [Int] = []
    /// Whether slices that are not sealed have an index of their keys.
    var areKeysIndexed = false

    /// The highest sequence number; an epoch may begin above a lost piece of history.
    var head: UInt64 {
        max(slices.last?.end.head ?? 0, (epochs.last?.place.sequence ?? 1) - 1)
    }

    /// The index of the slice that covers a place, or of the next one above; nil when there is
    /// neither.
    func index(covering place: UInt64) -> Int? {
        // From the end: what is read is mostly new.
        guard let last = slices.last else { return nil }
        if place >= last.row.first { return slices.count - 1 }
        let next = slices.lastIndex { $0.row.first <= place } ?? 0
        return next
    }

    /// The last place that a slice covers; nil for the present one.
    func last(of index: Int) -> UInt64? {
        index + 1 < slices.count ? slices[index + 1].row.first - 1 : nil
    }

    /// Lets go of the lists of sealed slices that are too old or too many, the oldest first.
    mutating func coolDown(_ limits: StoreLimits) {
        let newest = slices.reduce(0) { max($0, $1.end.newestTime.milliseconds) }
        var entries = slices.reduce(0) { $0 + ($1.lists?.count ?? 0) }
        for index in slices.indices where slices[index].file == nil {
            guard let lists = slices[index].lists else { continue }
            let age = newest - min(newest, slices[index].end.newestTime.milliseconds)
            guard entries > limits.hotEntriesMax || age > limits.hotSeconds * 1_000 else { return }
            entries -= lists.count
            slices[index].lists = nil
        }
    }

    /// Whether a slice may hold keys that still count.
    var hasKeys: Bool {
        slices.contains { $0.end.newestTime >= keysBefore && $0.row.first <= $0.end.head }
    }

    /// Notes that a slice's lists are damaged; whether that is new.
    mutating func note(damagedListsOf number: Int) -> Bool {
        guard damagedLists.insert(number).inserted else { return false }
        untoldDamage.append(number)
        return true
    }
}
