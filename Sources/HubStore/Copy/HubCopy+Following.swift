import HubCluster
import HubModel
import HubVocabulary

// A copy of what a database holds: it is filled, and applies groups in their order. Each of its two
// files keeps its place in the transaction that brings it there, so it goes on after any end.
extension HubCopy {
    /// How following ended.
    enum Following {
        /// The copy has everything up to this place.
        case reached(GroupPlace)
        /// The copy has another past than the database: it must be thrown away.
        case otherHistory
    }

    /// Bytes of groups that are read at once, about.
    private static let readBytes = 4 << 20
    /// Items that are written at once.
    private static let itemsPerStep = 4_096

    /// How far it has come.
    var place: CopyPlace {
        CopyPlace(
            feed: feed,
            head: extent?.head ?? 0,
            headCheck: headCheck,
            lastChange: lastChange?.number ?? 0
        )
    }

    /// Whether it has seen more than the database holds, which was set back then, and no leader has
    /// begun an epoch since.
    ///
    /// An epoch that a part of the copy does not know tells the lost past apart: the part is of
    /// another past then, and has nothing to tell. Log and registrations are judged each by what it
    /// knows itself: one may be far behind the other, or may have been put back from an older copy.
    func isAhead(of place: GroupPlace) -> Bool {
        let epochs = place.epochs.map(\.place.epoch)
        let known = Set(extent?.epochs.map(\.epoch) ?? [])
        let logKnows = extent != nil && known.isSuperset(of: epochs)
        if logKnows, let extent, extent.head > place.head { return true }
        guard feed > place.feed else { return false }
        guard let own = filled?.epoch else { return extent == nil || logKnows }
        if epochs.contains(own) { return epochs.last == own }
        // Only the log tells whether the database lost that epoch or has begun another one instead.
        return extent == nil || logKnows && known.contains(own)
    }

    /// The highest sequence number that it knows to have been given, by its log or registrations.
    var headSeen: UInt64 { max(extent?.head ?? 0, filled?.head ?? 0) }

    /// Where the log was at the last changes of the registrations; nil where there were none.
    private var filled: RegistrationFile.LogMark? {
        // Those that cannot be read leave the log to tell; they are filled anew by who reads them next.
        (try? registrations.mark())?.log
    }

    /// Applies a group to what was there before it; what it has already is passed over.
    ///
    /// The changes come first. `headBefore` is the head of the log before the group, `mark` that of
    /// its changes.
    func apply(
        _ group: CommitGroup,
        headBefore: UInt64,
        mark change: ChangeMark?
    ) throws(StoreError) {
        if let change, !group.changes.isEmpty, group.number > feed {
            let check = headBefore == bounds.head ? headCheck : try log.check(at: headBefore) ?? 0
            let mark = RegistrationFile.LogMark(
                epoch: bounds.epoch,
                head: headBefore,
                check: check
            )
            let before = try observer == nil ? [] : live(group.changes)
            try write(group.changes, mark, change: change)
            lastChange = change
            observer?.take(group.changes, of: group.number, instead: before)
            // The records may be refused, and the group comes again.
            feed = group.number
        }
        if let last = group.records.last, last.sequence > bounds.head { try append(group.records) }
        feed = max(feed, group.number)
    }

    /// The live registrations whose numbers are among changes.
    private func live(_ changes: [StoredChange]) throws(StoreError) -> [Registration] {
        var numbers: [RegistrationNumber] = []
        for change in changes {
            switch change {
            case .put(let registration), .remove(let registration):
                numbers.append(registration.number)
            case .putInstallation, .removeInstallation, .putSchedule, .removeSchedule,
                .cancelSchedule, .forgetSchedule, .putJob, .removeJob, .putDeparture, .revoke,
                .putSettings:
                break
            }
        }
        return try numbers.isEmpty ? [] : registrations.registrations(numbers)
    }

    /// Reads groups from the database until nothing is missing.
    ///
    /// Groups that were written when it throws stay: the next time goes on there, or fills what has no place.
    func follow(_ database: any GroupReading) throws(StoreError) -> Following {
        feed = try registrations.feed() ?? 0
        lastChange = try registrations.lastChange()
        var isNew = extent == nil
        while true {
            try progress.ending.check()
            let read = try database.groups(after: place, bytesMax: Self.readBytes)
            if try registrations.feed() == nil || feed + 1 < read.place.changesFirst {
                progress.step("filling the copy of the registrations")
                try fill(from: database)
                continue
            }
            guard agrees(with: read.place, isNew: isNew), hasChanges(of: read) else {
                return .otherHistory
            }
            if lacksRecords(read) {
                // Those of a lost past end within a group; nothing else than trimming takes records.
                guard extent == nil || next(in: read) <= read.place.first else {
                    return .otherHistory
                }
                try restartLog(read)
                isNew = true
            }
            for group in read.groups {
                try progress.ending.check()
                guard try take(group, read.place.epochs) else { return .otherHistory }
                progress.step("\(read.place.feed - min(read.place.feed, feed)) groups are missing")
            }
            guard read.groups.isEmpty else { continue }
            try begin(read.place.epochs[...])
            try purge(through: read.place.purged)
            feed = read.place.feed
            if let newest = read.newest, newest != lastChange {
                try registrations.setLastChange(newest)
                lastChange = newest
            }
            // Without one in the database none is left that was accepted so far.
            keysFrom = read.oldestKey ?? Timestamp(milliseconds: .max)
            return .reached(read.place)
        }
    }

    // MARK: Parts

    /// Whether its past is that of the database, as far as that can be told.
    private func agrees(with place: GroupPlace, isNew: Bool) -> Bool {
        guard let extent else { return true }
        let epochs = place.epochs.map(\.place)
        // A copy that learns of an epoch may have changes that the database has lost.
        guard isNew ? epochs.starts(with: extent.epochs) : epochs == extent.epochs else {
            return false
        }
        guard extent.head <= place.head, feed <= place.feed else { return false }
        return extent.head < place.head || headCheck == place.headCheck
    }

    /// Whether its last changes are those of the database, where these are kept: after it was set back
    /// others may have the numbers of lost ones.
    private func hasChanges(of read: GroupsRead) -> Bool {
        guard let lastChange, lastChange.number >= read.place.changesFirst else { return true }
        return read.known == lastChange
    }

    /// Whether records that the copy lacks were trimmed; an epoch may begin above a hole.
    private func lacksRecords(_ read: GroupsRead) -> Bool {
        guard let extent else { return true }
        let start = next(in: read)
        guard start > extent.head + 1 else { return false }
        let known = extent.epochs.count
        return !read.place.epochs.dropFirst(known).contains { $0.place.sequence == start }
    }

    /// The place that the log goes on with.
    private func next(in read: GroupsRead) -> UInt64 {
        (read.groups.first?.headBefore ?? read.place.head) + 1
    }

    /// Applies one group; false when it does not continue what is there.
    private func take(
        _ group: EncodedGroup,
        _ epochs: [GroupEpoch]
    ) throws(StoreError) -> Bool {
        guard group.isOfOnePlace else {
            throw .corrupted("group \(group.number): changes and records of two places")
        }
        if group.headBefore >= bounds.head {
            try begin(epochs.prefix { $0.place.sequence <= group.headBefore + 1 })
            guard group.headBefore == bounds.head, group.checkBefore == headCheck else {
                return false
            }
        }
        if let records = group.records, records.last > bounds.head {
            guard records.first == bounds.head + 1 else {
                throw .corrupted("group \(group.number): records from \(records.first)")
            }
        }
        let decoded: CommitGroup
        do throws(RecordProblem) {
            decoded = CommitGroup(
                number: group.number,
                changes: group.number <= feed ? [] : try group.changes?.decoded() ?? [],
                records: try group.records?.decoded() ?? []
            )
        } catch {
            throw .corrupted("group \(group.number): \(error)")
        }
        try apply(decoded, headBefore: group.headBefore, mark: group.changeMark)
        return true
    }

    /// Begins the epochs that the copy does not know.
    private func begin(_ epochs: ArraySlice<GroupEpoch>) throws(StoreError) {
        for epoch in epochs where !bounds.epochs.contains(epoch.place) {
            try log.begin(epoch.place, checkBelow: epoch.checkBelow, in: folder)
            extent = log.bounds
            headCheck = epoch.checkBelow
        }
    }

    /// Begins the log anew where that of the database begins, or behind what it lacks.
    private func restartLog(_ read: GroupsRead) throws(StoreError) {
        let below = read.groups.first?.headBefore ?? read.place.head
        let check = read.groups.first?.checkBefore ?? read.place.headCheck
        let numbers = log.numbers
        log.close()
        for number in numbers { folder.remove(SliceFile.name(number)) }
        log = try SlicedLog.open(
            in: folder,
            keeping: keeping,
            limits: limits,
            progress: &progress
        )
        let epochs = read.place.epochs.filter { $0.place.sequence <= below + 1 }
        try log.begin(
            epochs.map { EpochRow(place: $0.place, checkBelow: $0.checkBelow) },
            above: below,
            checkBelow: check,
            in: folder
        )
        extent = log.bounds
        headCheck = check
    }

    /// Fills the registrations with what holds now; they have a place when all is there.
    private func fill(from database: any GroupReading) throws(StoreError) {
        observer?.forget()
        lastChange = nil
        registrations.file.close()
        folder.remove(RegistrationFile.name)
        registrations = try RegistrationFile(
            path: try folder.file(RegistrationFile.name),
            keeping: keeping
        )
        var values: [ItemValue] = []
        let place = try database.items { item throws(StoreError) in
            do throws(RecordProblem) {
                values.append(try item.value())
            } catch {
                throw .corrupted("an item of kind \(item.key.kind): \(error)")
            }
            guard values.count == Self.itemsPerStep else { return }
            try progress.ending.check()
            try registrations.insert(values)
            values.removeAll(keepingCapacity: true)
        }
        try registrations.insert(values)
        let mark = RegistrationFile.LogMark(
            epoch: place.epochs.last?.place.epoch ?? 1,
            head: place.head,
            check: place.headCheck
        )
        try registrations.apply([], mark: mark, numberMax: place.numberMax, feed: place.feed)
        numberMax = place.numberMax
        feed = place.feed
    }
}
