import HubModel
import HubVocabulary
import Synchronization

/// A hub's notification log: slices of it in files of their own, the newest written to.
///
/// A slice covers the numbers from its own first to the one before the next slice's. Some time
/// after the next slice has begun, it is sealed: its lists of records by anchor are written in
/// order. From then on the file is only read, until it is removed as a whole.
///
///     log-000001.sqlite … sealed   log-000004.sqlite waits   log-000005.sqlite the present one
///
/// Made and changed by the hub's writer thread; any thread may read. Source: Decisions/SlicedLog.
final class SlicedLog: Sendable {
    /// The hub's folder.
    let path: String
    let keeping: Durability
    let limits: StoreLimits
    let state: Mutex<LogState>

    init(
        path: String,
        keeping: Durability,
        limits: StoreLimits,
        state: consuming LogState
    ) {
        self.path = path
        self.keeping = keeping
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

    /// Its epochs, ascending, each with the check value below.
    var epochs: [EpochRow] { state.withLock { $0.epochs } }

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
