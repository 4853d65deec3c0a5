import HubCluster
import HubModel
import HubPostgres
import HubStore
import HubVocabulary
import Synchronization

/// One hub on a node that waits: its copy, until a hub that is led here takes it.
final class FollowedHub: Sendable {
    /// How far the copy is behind a look.
    struct Progress {
        /// Groups that it has of those that the database had.
        var groups: UInt64
        /// Groups that it lacks.
        var behind: UInt64
        /// Whether the hub could be led without reading registrations.
        var isWarm: Bool
        /// Whether the copy has seen more than the database holds.
        var isAhead: Bool
        /// Whether the cursors of devices are in memory too.
        var hasCursors: Bool
        /// Why the copy was filled, since the last look.
        var faults: [CopyFault]
        /// Why cursors could not be followed, since the last look.
        var cursorFault: StoreError?
    }

    private struct State {
        /// nil once it was taken.
        var copy: StandbyCopy?
        /// Up to where the copy was followed; nil after a look that failed.
        var mark: HubMark?
        var isAhead = false
        var leftOut = LooksLeftOut()
    }

    let name: HubName
    private let reading: any GroupReading
    private let state = Mutex(State())

    /// Opens the copy in `path`; `observing` makes what hears of it.
    ///
    /// A look ends soon when `ending` has come.
    init(
        _ name: HubName,
        _ reading: any GroupReading,
        path: String,
        limits: StoreLimits,
        ending: StoreEnding,
        observing: @Sendable () -> any CopyObserver,
        tell: @escaping @Sendable (String) -> Void
    ) throws(StoreError) {
        self.name = name
        self.reading = reading
        try state.withLock { state throws(StoreError) in
            state.copy = try StandbyCopy(
                folder: path,
                limits: limits,
                observer: observing(),
                ending: ending,
                progress: tell
            )
        }
    }

    /// Follows up to a mark, if the copy is not there yet.
    ///
    /// - Returns: nil once the copy was taken.
    /// - Throws: why the copy is not level; the next looks are left out then, and more each time.
    func follow(to mark: HubMark) throws(StoreError) -> Progress? {
        try state.withLock { state throws(StoreError) -> Progress? in
            guard let copy = state.copy else { return nil }
            if !state.leftOut.leavesOut(), state.mark != mark {
                do throws(StoreError) {
                    state.isAhead = try copy.follow(reading) == .ahead
                    state.mark = mark
                    state.leftOut.succeed()
                } catch {
                    state.mark = nil
                    state.leftOut.fail()
                    throw error
                }
            }
            let groups = state.isAhead ? 0 : min(copy.group, mark.group)
            return Progress(
                groups: groups,
                behind: mark.group - groups,
                isWarm: state.mark == mark && !state.isAhead,
                isAhead: state.isAhead,
                hasCursors: copy.hasCursors,
                faults: copy.takeFaults(),
                cursorFault: copy.takeCursorFault()
            )
        }
    }

    /// Gives the copy away, behind a look that is under way.
    func take() -> sending StandbyCopy? {
        state.withLock { state in
            let copy = state.copy
            state.copy = nil
            return copy
        }
    }
}
