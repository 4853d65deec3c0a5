package import HubCluster
package import HubModel
import HubVocabulary

/// The copy of a hub on a node that waits: it follows what another node commits.
///
/// One that has seen more than the database holds is left as it is, because the next leader learns
/// from it that history was cut. Any other that does not fit is filled anew. On one thread at a time.
package final class StandbyCopy {
    /// Where a copy stands behind a look at its database.
    package enum Standing: Hashable, Sendable {
        /// It has everything that the database had.
        case level
        /// It has seen more than the database holds.
        case ahead
    }

    /// Steps of housekeeping behind each look at most.
    private static let stepsPerLook = 16

    /// Hears what the copy becomes.
    package let observer: any CopyObserver
    let opening: CopyOpening
    private(set) var copy: HubCopy
    /// Why the copy was filled since this was last taken.
    private var faults: [CopyFault] = []
    /// A look did not come to its end.
    private var isBroken = false
    private var cursorLooks = LooksLeftOut()
    private var cursorFault: StoreError?

    /// Opens the copy in `folder`, which may be empty, old or damaged.
    ///
    /// Once `ending` has come a look ends within some thousand rows, and so does the opening of a
    /// store that has taken the copy.
    package init(
        folder path: String,
        limits: StoreLimits,
        observer: any CopyObserver,
        numbersLeftOut: UInt64 = ClusterStore.numbersLeftOut,
        ending: StoreEnding = StoreEnding(),
        progress tell: @escaping (String) -> Void = { _ in }
    ) throws(StoreError) {
        opening = CopyOpening(
            try StoreFolder(path: path),
            limits,
            numbersLeftOut: numbersLeftOut,
            OpeningProgress(limits, ending: ending, tell: tell)
        )
        self.observer = observer
        let opened = try opening.openOrDiscard()
        copy = opened.copy
        if opened.isDamaged { faults = [.damaged] }
        copy.observer = observer
    }

    /// The last group that it has.
    package var group: UInt64 { copy.feed }

    /// Whether its observer has cursors, which a store that is led from here on need not read.
    package var hasCursors: Bool { observer.cursors?.mark != nil }

    /// Takes what its database has and it has not; its observer has the same then.
    ///
    /// - Throws: what reading the database, and writing the copy, throw, and the error of the ending
    ///   that was given; a later look opens the files again and goes on.
    package func follow(_ database: any GroupReading) throws(StoreError) -> Standing {
        guard let before = try database.place(), !before.epochs.isEmpty else { return .level }
        if isBroken { try reopen() }
        guard !copy.isAhead(of: before) else { return ahead() }
        isBroken = true
        let standing = try level(with: database)
        isBroken = false
        guard standing == .level else { return ahead() }
        try levelCursors(with: database)
        return .level
    }

    /// The database was set back, and its cursors with it.
    private func ahead() -> Standing {
        observer.cursors?.forget()
        return .ahead
    }

    /// Has the observer take the cursors that it lacks.
    ///
    /// Where they cannot be read the copy is level all the same, and some looks leave them out.
    private func levelCursors(with database: any GroupReading) throws(StoreError) {
        guard let cursors = observer.cursors, !cursorLooks.leavesOut() else { return }
        do throws(StoreError) {
            try level(cursors, with: database)
            cursorLooks.succeed()
        } catch {
            try copy.progress.ending.check()
            cursorLooks.fail()
            cursorFault = error
        }
    }

    private func level(
        _ cursors: any CursorObserver,
        with database: any GroupReading
    ) throws(StoreError) {
        while true {
            let known = cursors.mark
            switch try database.cursorJournal(behind: known) {
            case .changes(_, let last) where last == known: return
            case .changes(let changes, let last): cursors.take(changes, through: last)
            case .empty: return cursors.forget()
            case .unknown:
                cursors.forget()
                let mark = try database.cursors { some throws(StoreError) in
                    try copy.progress.ending.check()
                    for cursor in some { cursors.load(cursor) }
                }
                guard let mark else { return cursors.forget() }
                return cursors.finish(at: mark)
            }
            try copy.progress.ending.check()
        }
    }

    private func level(with database: any GroupReading) throws(StoreError) -> Standing {
        var fault = CopyFault.otherPast
        do throws(StoreError) {
            if try copy.registrations.feed() == nil, faults.isEmpty { faults = [.missing] }
            if case .reached(let place) = try copy.follow(database) { return try finish(place) }
        } catch {
            guard case .corrupted = error else { throw error }
            fault = .damaged
        }
        // It may have been set back just now.
        if let now = try database.place(), copy.isAhead(of: now) { return .ahead }
        copy = try opening.discard(copy)
        faults.append(fault)
        observer.cursors?.forget()
        guard case .reached(let place) = try copy.follow(database) else {
            throw CopyOpening.unjoined
        }
        return try finish(place)
    }

    /// Opens the files again behind a look that failed: some may be closed.
    private func reopen() throws(StoreError) {
        observer.forget()
        copy.closeFiles()
        let opened = try opening.openOrDiscard()
        if opened.isDamaged { faults.append(.damaged) }
        copy = opened.copy
        copy.observer = observer
        isBroken = false
    }

    /// Takes why the copy was filled, for an operator.
    package func takeFaults() -> [CopyFault] {
        defer { faults = [] }
        return faults
    }

    /// Takes why cursors could not be read since this was last taken.
    package func takeCursorFault() -> StoreError? {
        defer { cursorFault = nil }
        return cursorFault
    }

    private func finish(_ place: GroupPlace) throws(StoreError) -> Standing {
        var steps = Self.stepsPerLook
        while steps > 0, try copy.tidy(behind: place) { steps -= 1 }
        if observer.group == nil { try load() }
        return .level
    }

    private func load() throws(StoreError) {
        observer.forget()
        try copy.registrations.forEach(until: copy.progress.ending) { bytes throws(RecordProblem) in
            try observer.load(registration: bytes)
        }
        try copy.registrations.forEachInstallation { observer.load($0) }
        observer.finish(at: copy.feed)
    }

    /// Makes the observer void unless it has every change that the files have.
    func checkObserver(of copy: HubCopy) throws(StoreError) {
        guard let group = observer.group else { return }
        let stored = try copy.registrations.feed() ?? .max
        if stored > group || group > copy.feed { observer.forget() }
    }

    /// Closes the files, and lets go of the folder.
    package func close() { copy.close() }
}
