// How a missed set grows with the log, and is handed out in pages.

extension MissedSet {
    /// Records that are looked at in one step.
    private static let stepRecords = 256

    /// Looks at what the log has up to where it was asked for.
    ///
    /// - Throws: what the reading throws; the set is worth nothing then.
    mutating func look(at whole: any MissedReading) throws(StoreError) {
        let log = UndamagedRecords(whole, damaged: damaged)
        defer { damaged = log.damaged }
        // Records that the device has stored are not lost, whatever became of them.
        let seen = max(through, query.recountThrough)
        let anchors = through < query.through ? query.anchors : []
        while through < query.through {
            let found = try log.candidates(
                anchors: anchors,
                after: through,
                through: query.through,
                limit: LogQuery.pageMatchesMax
            )
            var rest = found.sequences[...]
            while !rest.isEmpty {
                let part = rest.prefix(Self.stepRecords)
                rest = rest.dropFirst(Self.stepRecords)
                for header in try log.headers(at: part) {
                    try add(header) { () throws(StoreError) in
                        try log.records(at: [header.sequence], bytesMax: 0).first
                    }
                }
            }
            looked(through: max(found.through, through + 1))
        }
        // Asked behind the reading, which the writer does not wait for.
        let gone = min(log.purgedGone, query.through)
        if seen < gone { untoldThrough = max(untoldThrough, gone) }
        cut()
    }

    /// The first part that is complete; what is in it stays until the next query is behind it.
    mutating func page(from whole: any MissedReading) throws(StoreError) -> LogPage {
        let log = UndamagedRecords(whole, damaged: damaged)
        var end = matches.startIndex
        var wanted: [UInt64] = []
        var reached = query.through
        while end < matches.endIndex {
            let sequence = matches[end].sequence
            let isNew = end == matches.startIndex || matches[end - 1].sequence != sequence
            let isFull =
                wanted.count >= query.limit
                || end - matches.startIndex >= LogQuery.pageMatchesMax
            if isNew, isFull {
                reached = sequence - 1
                break
            }
            expire(end)
            if matches[end].fate == .due, wanted.last != sequence { wanted.append(sequence) }
            end += 1
        }
        let records = try log.records(at: wanted[...], bytesMax: LogQuery.pageBytes)
        if let last = records.last?.sequence, let lastWanted = wanted.last, last < lastWanted {
            reached = last
        }
        reached = max(reached, overflowThrough)
        damaged = log.damaged
        // Damage there is told already, or not missed: it was cut, purged, or stored on the device.
        let floor = [query.recountThrough, query.purgedThrough, overflowThrough, untoldThrough]
            .reduce(query.after, max)
        let damage = try log.damage(after: floor, through: reached, matches)
        if let damage { reached = damage.through }
        let handed = Array(matches[..<end].prefix { $0.sequence <= reached })
        var page = LogPage(
            address: query.address,
            ticket: query.ticket,
            records: records.filter { $0.sequence <= reached },
            matches: handed,
            cut: try cut(of: handed, from: log),
            check: query.checkAt > 0 ? try log.check(at: query.checkAt) : nil,
            through: reached
        )
        page.purgedThrough = query.purgedThrough
        page.forgotten = forgottenFates
        page.damage = damage
        return page
    }

    /// Returns the cut notifications of a page, and where the cut ends; nil when a page has none.
    private func cut(
        of handed: [Match],
        from log: any MissedReading
    ) throws(StoreError) -> LogPage.Cut? {
        var end = max(overflowThrough, untoldThrough)
        let last = lastLoss.flatMap { $0.sequence > end ? $0 : nil }
        end = last?.sequence ?? end
        guard end > 0 else { return nil }
        var count = UInt32(clamping: overflow)
        var before: UInt64 = 0
        for match in handed {
            guard match.fate == .capped || match.fate == .purged else { continue }
            if match.sequence != before { count += 1 }
            before = match.sequence
        }
        let check = if let last { last.check } else { try log.check(at: end) ?? 0 }
        return LogPage.Cut(
            through: end,
            check: check,
            count: untoldThrough > 0 ? ResumeDecision.lostUnknown : count,
            isPurge: overflow == 0 && lastLoss?.fate != .capped
        )
    }
}
