import HubCluster
import HubModel
import HubVocabulary

/// The opening of a leader's copy: it ends at the last group of the database.
struct CopyOpening {
    private let folder: StoreFolder
    private let limits: StoreLimits
    private let numbersLeftOut: UInt64
    private let progress: OpeningProgress

    init(
        _ folder: StoreFolder,
        _ limits: StoreLimits,
        numbersLeftOut: UInt64,
        _ progress: OpeningProgress
    ) {
        self.folder = folder
        self.limits = limits
        self.numbersLeftOut = numbersLeftOut
        self.progress = progress
    }

    /// Opens the copy and brings it up to date, or goes on with one that is open; begins an epoch
    /// where there is none, or where the copy has seen more than the database holds.
    func open(
        _ groups: any GroupLog,
        epochSeed: UInt64,
        with known: HubCopy? = nil
    ) throws(StoreError) -> (copy: HubCopy, events: [StoreEvent]) {
        let place = groups.place
        var copy: HubCopy
        var fault: CopyFault?
        if let known {
            copy = known
        } else {
            let isMissing = try lacksFiles(place)
            let opened = try openOrDiscard()
            copy = opened.copy
            fault = opened.isDamaged ? .damaged : isMissing ? .missing : nil
        }
        var events: [StoreEvent] = []
        if copy.isAhead(of: place) {
            let head = max(copy.headSeen, place.head) + numbersLeftOut
            try begin(epochSeed, above: head, copy.extent, groups)
            events = [.newEpoch(.logIsOlder)]
            copy = try discard(copy)
        } else if place.epochs.isEmpty {
            try begin(epochSeed, above: 0, nil, groups)
            events = [.created]
        }
        do throws(StoreError) {
            if case .reached = try copy.follow(groups.reading) {
                return (copy, events + (fault.map { [.copyFilled($0)] } ?? []))
            }
            fault = .otherPast
        } catch {
            guard case .corrupted = error else { throw error }
            fault = .damaged
        }
        copy = try discard(copy)
        guard case .reached = try copy.follow(groups.reading) else { throw Self.unjoined }
        return (copy, events + (fault.map { [.copyFilled($0)] } ?? []))
    }

    /// Whether the folder lacks a part of what the database holds.
    private func lacksFiles(_ place: GroupPlace) throws(StoreError) -> Bool {
        let names = try folder.names()
        let hasLog = names.contains { SliceFile.number(of: $0) != nil }
        return place.feed > 0 && !names.contains(RegistrationFile.name)
            || place.head >= place.first && !hasLog
    }

    /// Groups of one database that do not continue each other.
    static let unjoined = StoreError.corrupted("the groups of the database do not join")

    private func begin(
        _ seed: UInt64,
        above head: UInt64,
        _ known: LogBounds?,
        _ groups: any GroupLog
    ) throws(StoreError) {
        let taken = Set(
            groups.place.epochs.map(\.place.epoch) + (known?.epochs.map(\.epoch) ?? [])
        )
        var epoch = seed
        while epoch == 0 || taken.contains(epoch) { epoch &+= 1 }
        try groups.begin(
            GroupEpoch(
                place: LogPlace(epoch: epoch, sequence: head + 1),
                checkBelow: groups.place.headCheck
            )
        )
    }

    /// Removes the copy in a folder that no store holds: the next one is filled anew.
    static func removeCopy(in path: String, _ limits: StoreLimits) throws(StoreError) {
        let progress = OpeningProgress(limits, tell: { _ in })
        let folder = try StoreFolder(path: path)
        defer { folder.close() }
        try CopyOpening(folder, limits, numbersLeftOut: 0, progress).removeFiles()
    }

    /// Opens the copy; one that cannot be read is begun anew.
    func openOrDiscard() throws(StoreError) -> (copy: HubCopy, isDamaged: Bool) {
        // Of the time when the files were the truth: cursors and counters are the database's now.
        folder.remove(StateFile.name)
        do throws(StoreError) {
            return (try openCopy(), false)
        } catch {
            switch error {
            // Filling it again costs time only.
            case .corrupted, .newerSchema, .olderSchema: break
            case .unavailable, .full, .locked, .cannotOpen, .notDurable, .fenced: throw error
            }
        }
        try removeFiles()
        return (try openCopy(), true)
    }

    /// Throws a copy away and begins an empty one.
    func discard(_ copy: HubCopy) throws(StoreError) -> HubCopy {
        let observer = copy.observer
        observer?.forget()
        copy.closeFiles()
        try removeFiles()
        let empty = try openCopy()
        empty.observer = observer
        return empty
    }

    private func openCopy() throws(StoreError) -> HubCopy {
        let copy = try HubCopy(in: folder, keeping: .cache, limits: limits, progress: progress)
        copy.feed = try copy.registrations.feed() ?? 0
        return copy
    }

    private func removeFiles() throws(StoreError) {
        for name in try folder.names()
        where name == RegistrationFile.name || SliceFile.number(of: name) != nil {
            folder.remove(name)
        }
    }
}
