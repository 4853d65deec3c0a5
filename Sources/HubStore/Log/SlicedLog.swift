import HubModel
import HubVocabulary
import Synchronization

/// A hub's notification log: slices of it in files of their own, the newest written to.
///
/// A slice covers the numbers from its own first to the one before the next slice's. What was
/// written last is sealed some time after the next slice has begun: its lists of records by anchor
/// are written in order, and from then on the file is only read, until it is removed as a whole.
///
///     log-000001.sqlite … sealed   log-000004.sqlite waits   log-000005.sqlite the present one
///
/// Made and changed by the hub's writer thread; any thread may read. Source: Decisions/SlicedLog.
final class SlicedLog: Sendable {
    /// One slice as the threads share it.
    struct Slice: Sendable {
        var row: SliceRow
        /// What would be its end if it were sealed now.
        var end: SliceRow.End
        /// Bytes of its records; of the present slice only.
        var bytes = 0
        /// When its first group was accepted; nil while it has none.
        var began: Timestamp?
        /// nil once it is sealed.
        var file: SliceFile?
        /// Open connections of a sealed slice.
        var reader: FileReader?
        /// When a sealed slice was last read, as the count of all reads.
        var lastRead: UInt64 = 0
        /// Records by anchor; nil where the file's table is looked at instead.
        var lists: AnchorLists?
        /// Whether lists can be had neither from the file's table nor from its groups.
        var isWithoutLists = false
    }

    struct State: Sendable {
        /// Ascending; empty for a new log.
        var slices: [Slice] = []
        /// Ascending.
        var epochs: [EpochRow] = []
        var logFirst: UInt64 = 1
        var purged: UInt64 = 0
        var keysBefore = Timestamp(milliseconds: 0)
        var reads: UInt64 = 0
        /// Slices whose lists were found damaged, and those of them that nobody was told of yet.
        var damagedLists: Set<Int> = []
        var untoldDamage: [Int] = []
        /// Whether slices that are not sealed have an index of their keys.
        var areKeysIndexed = false
    }

    /// The hub's folder.
    let path: String
    let limits: StoreLimits
    let state: Mutex<State>

    init(path: String, limits: StoreLimits, state: consuming State) {
        self.path = path
        self.limits = limits
        self.state = Mutex(state)
    }

    /// The log's extent; nil for a log without epoch, which is new.
    var bounds: LogBounds? {
        state.withLock { state in
            guard let newest = state.epochs.last, !state.slices.isEmpty else { return nil }
            return LogBounds(
                epoch: newest.place.epoch,
                first: state.logFirst,
                head: state.head,
                epochs: state.epochs.map(\.place),
                purged: state.purged
            )
        }
    }

    /// Where a slice's file lies.
    func file(_ number: Int) -> String { path + "/" + SliceFile.name(number) }

    /// Closes every file.
    func close() {
        let slices = state.withLock { state in
            defer {
                for index in state.slices.indices {
                    state.slices[index].file = nil
                    state.slices[index].reader = nil
                }
            }
            return state.slices
        }
        for slice in slices { slice.file?.file.close() }
    }
}

extension SlicedLog.State {
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
}
