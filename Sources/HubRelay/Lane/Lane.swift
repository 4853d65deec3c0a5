package import HubModel
package import HubVocabulary

/// Relays one hub's records to one service: decides what is sent when, and how each match ended.
///
/// The log is the queue. The lane holds a place in it and a bitmap for each open record, so that an
/// outage of a day takes no more memory than one of a minute. Its host reads the log, makes requests
/// and stores checkpoints; the lane sees values and instants.
///
/// For one registration, notifications go out in the log's order and one at a time. When a record
/// overtakes an earlier one, the earlier one's request for the same registration is pulled forward.
package struct Lane {
    /// The limits that it was made with.
    package let limits: LaneLimits
    private let epoch: UInt64
    /// Registrations of the hub, about; the brake measures removals by them.
    package var registrations: Int
    var open = OpenRecords()
    var flights = LaneFlights()
    var deferred: DeferredRows
    var brake = RemovalBrake()
    var pace: LanePace
    var serverErrors = ServerErrors()
    var ledger: LaneLedger
    var scan: LaneScan
    var health: LaneHealth
    /// Records up to here go out no more: purged for all, or given up for this lane.
    private var over: (purged: UInt64, givenUp: UInt64)

    /// A lane that goes on where its mark and rows say.
    ///
    /// A mark that the store does not have yet goes there with the first checkpoint. Answers are
    /// counted on from `answers`.
    package init(
        mark: LaneMark,
        isStored: Bool = true,
        deferred: [DeferredRow] = [],
        registrations: Int,
        seed: UInt64,
        limits: LaneLimits = .standard,
        answers: UInt64 = 0
    ) {
        self.limits = limits
        self.registrations = registrations
        epoch = mark.epoch
        self.deferred = DeferredRows(deferred)
        pace = LanePace(limits, seed: seed)
        ledger = LaneLedger(
            stored: isStored ? mark : nil,
            failuresMax: limits.failuresOfCheckpointMax
        )
        scan = LaneScan(mark)
        health = LaneHealth(answers: answers)
        over = (purged: 0, givenUp: mark.givenUp)
    }

    // MARK: The log

    /// The log has records up to here.
    package mutating func committed(through head: UInt64) { scan.head = max(scan.head, head) }

    /// The host has read up to a place and found these records, in the log's order.
    package mutating func receive(_ records: [LaneRecord], through place: UInt64, now: Now) {
        var opened = false
        for record in records {
            let progress: LaneMark.Open.Progress?
            switch scan.opening(record.sequence) {
            case .finished: continue
            case .whole: progress = nil
            case .rest(let rest): progress = rest
            }
            let audience = record.audience
            let record = OpenRecord(record, progress: progress, limits: limits)
            guard !record.left.isEmpty else { continue }
            if let collapse = record.collapse {
                replace(collapse, for: audience, before: record.sequence)
            }
            open.append(record)
            opened = true
        }
        scan.end(through: place, opened: opened)
        for record in records where isOver(record.sequence) {
            if let index = open.index(of: record.sequence) { end(at: index, .purged) }
        }
        expire(now: now)
        close()
    }

    /// A newer record is enough for its audience: what waits for it of older ones with the same key
    /// and target ends.
    private mutating func replace(
        _ collapse: UInt64,
        for audience: [UInt32],
        before sequence: UInt64
    ) {
        let older = open.records.indices.filter { open[$0].collapse == collapse }
        // Behind a restart there are rows of the record itself, and of newer ones.
        let rows = deferred.keys(replacedBy: collapse).filter { $0.sequence < sequence }
        guard !older.isEmpty || !rows.isEmpty else { return }
        let audience = RegistrationSet(ascending: audience, listMax: limits.matchesOfSmallMax)
        for index in older {
            let sequence = open[index].sequence
            let busy = flights.busy(with: sequence)
            let ended = open.finish(audience, at: index, but: busy, limits)
            ledger.count(sequence, .collapsed, ended)
            if ended > 0 { open.rewind() }
        }
        for key in rows
        where audience.contains(key.registration) && !flights.isBusy(key) {
            finishDeferred(key, .collapsed)
        }
    }

    /// Whether a newer record that waits is enough for a ticket's registration.
    func isReplaced(_ ticket: LaneTicket) -> Bool {
        let key = DeferredRow.Key(sequence: ticket.sequence, registration: ticket.registration)
        let index = open.index(of: ticket.sequence)
        guard let collapse = deferred.collapse(of: key) ?? index.flatMap({ open[$0].collapse })
        else { return false }
        return open.records.contains { record in
            record.collapse == collapse && record.sequence > ticket.sequence
                && record.left.contains(ticket.registration)
        }
    }

    /// Records of stored rows whose collapse keys the lane does not know yet, ascending; it reads
    /// nothing before.
    package var unknownKeys: [UInt64] { deferred.unknown }

    /// A stored row's record has this collapse key and target.
    package mutating func learn(_ collapse: UInt64?, of sequence: UInt64) {
        deferred.learn(collapse, of: sequence)
    }

    /// Whether a record was purged or given up.
    func isOver(_ sequence: UInt64) -> Bool { sequence <= max(over.purged, over.givenUp) }

    /// Ends what waits of records that go out no more; an answer that is awaited ends the rest.
    private mutating func endOver() {
        let waiting = Set(open.records.map(\.sequence) + deferred.records)
        for sequence in waiting.filter({ isOver($0) }).sorted() {
            if let index = open.index(of: sequence) { end(at: index, .purged) }
            let busy = flights.busy(with: sequence)
            for key in deferred.keys(of: sequence) where !busy.contains(key.registration) {
                finishDeferred(key, .purged)
            }
        }
        close()
    }

    /// The log or its audiences could not be read; a turn behind a pause tries again.
    package mutating func readFailed(now: Instant) { scan.fail(now: now) }

    /// Whether a ticket is in flight.
    func awaits(_ ticket: LaneTicket) -> Bool { flights.awaits(ticket) }

    /// Requests in flight.
    var awaitedCount: Int { flights.count }

    /// Whether a device took a record, so that its content is right.
    func wasTaken(_ sequence: UInt64) -> Bool {
        open.index(of: sequence).map { open[$0].wasTaken } ?? false
    }

    /// Why the lane sends nothing; nil while it sends.
    package var cause: LaneCause? { pace.cause }

    /// Whether nothing is open, deferred or to be read.
    package var hasNothing: Bool { open.records.isEmpty && deferred.count == 0 && behind == 0 }

    /// Records that it is sending.
    package var openCount: Int { open.records.count }

    /// Whether the store has spoken about the last checkpoint.
    package var isCheckpointStored: Bool { ledger.isCheckpointStored }

    /// Notifications that wait by themselves.
    package var deferredCount: Int { deferred.count }

    /// Notifications for one device each that wait in open records or by themselves.
    var waitingCount: Int { open.records.reduce(deferred.count) { $0 + $1.left.count } }

    /// Its numbers and its credential's state at this time.
    package mutating func condition(certificateEnd: Timestamp?, now: Instant) -> RelayCondition {
        health.measure(now: now)
        var condition = RelayCondition()
        condition.answers = health.answers
        condition.rate = health.rate
        condition.waiting = waitingCount - deferredCount
        condition.oldest = open.records.first?.accepted
        condition.credential = health.credential
        condition.certificateEnd = certificateEnd
        return condition
    }

    /// Administrators removed every record up to a place.
    package mutating func purge(through place: UInt64) {
        over.purged = max(over.purged, place)
        endOver()
    }

    /// An operator wants no record up to a place to be relayed; the next checkpoint says so.
    package mutating func giveUp(through place: UInt64) {
        over.givenUp = max(over.givenUp, place)
        endOver()
    }

    /// The store knows that all records up to here are given up.
    package var storedGivenUp: UInt64 { ledger.storedGivenUp }

    // MARK: Turns

    /// Goes on: rests that are over, records that expired, requests that may be made.
    package mutating func turn(now: Now, actions: inout [LaneAction]) {
        if pace.tick(now: now.instant) { actions.append(.resumes) }
        if pace.isAway { missTransient() }
        expire(now: now)
        close()
        send(now: now, actions: &actions)
        close()
        guard let after = places > 0 && !isStopping ? scan.begin(now: now.instant) : nil else {
            return
        }
        actions.append(
            .read(
                after: after,
                large: limits.largeRecordsMax - open.largeCount,
                small: limits.smallRecordsMax - open.smallCount,
                smallMatches: limits.smallMatchesMax - open.smallMatches
            )
        )
    }

    private var places: Int {
        max(
            limits.largeRecordsMax - open.largeCount,
            min(
                limits.smallRecordsMax - open.smallCount,
                limits.smallMatchesMax - open.smallMatches
            )
        )
    }

    /// When the lane wants a turn although nothing came: a rest's end, by the monotonic clock.
    package var deadline: Instant? {
        [pace.deadline, scan.deadline].compactMap { $0 }.min()
    }

    /// When the next deferred notification or the next end of a lifetime is due.
    ///
    /// Those that are due already wait for an answer or for the end of a rest, not for a time.
    package func nextDue(after now: Timestamp) -> Timestamp? {
        var next = deferred.due.flatMap { $0 > now ? $0 : nil }
        for record in open.records where record.expires > now {
            next = min(next ?? record.expires, record.expires)
        }
        return next
    }

    /// Ends what is over; what is in flight is not.
    private mutating func expire(now: Now) {
        for index in open.records.indices {
            if let end = open[index].end(now: now.time) { self.end(at: index, end) }
        }
    }

    /// A record for now or never does not outlast an absence of the service.
    private mutating func missTransient() {
        for index in open.records.indices where open[index].isTransient {
            end(at: index, .missed)
        }
    }

    mutating func end(at index: Int, _ end: LaneEnd) {
        let (sequence, wasLarge) = (open[index].sequence, open[index].isLarge)
        let ended = open.finishAll(at: index, but: flights.busy(with: sequence))
        ledger.count(sequence, end, ended)
        if wasLarge, ended > 0 { open.rewind() }
    }

    mutating func finishDeferred(_ key: DeferredRow.Key, _ end: LaneEnd) {
        guard deferred.remove(key) != nil else { return }
        ledger.count(key.sequence, end)
        ledger.finishRow(key)
        free(key.registration)
    }

    mutating func close() { if open.close() { scan.unblock() } }

    /// A registration is not busy any more: records that passed over it come to their turn.
    mutating func free(_ registration: UInt32) {
        if open.hasPassed(registration) { flights.queue(registration) }
    }

    // MARK: The store

    /// The changes to store, in one transaction; nil when there are none, or while the store has
    /// not spoken about the last ones.
    package mutating func checkpoint() -> LaneCheckpoint? {
        let (scanned, resuming) = scan.mark
        let records = (open.records.map(\.mark) + resuming).sorted { $0.sequence < $1.sequence }
        return ledger.checkpoint(
            LaneMark(epoch: epoch, scanned: scanned, givenUp: over.givenUp, open: records)
        )
    }

    /// The store has the last checkpoint.
    package mutating func checkpointStored() {
        ledger.stored()
        pace.storeIsBack()
    }

    /// The store refused the last checkpoint, which comes again as it is: nothing is sent that could
    /// not be marked.
    package mutating func checkpointDelayed(now: Now, actions: inout [LaneAction]) {
        pace.waitForStore(now: now.instant)
        actions.append(.rests(.store))
    }

    /// The first record that the log must keep for this lane.
    package var needed: UInt64 {
        let first = open.records.first?.sequence ?? scan.mark.scanned + 1
        let resuming = scan.mark.open.first?.sequence ?? first
        return min(first, resuming, deferred.needed ?? first)
    }

    /// Records that were committed and are not read yet.
    package var behind: UInt64 { scan.head - min(scan.head, scan.mark.scanned) }

    /// Bytes of memory that waiting records take, about.
    package var weight: Int { open.weight }

    // MARK: The process

    /// The process ends: no new requests; answers are still taken.
    package mutating func stop() { pace.stop() }

    /// Whether the process ends.
    var isStopping: Bool { pace.state == .stopped }

    /// Whether no answer is awaited.
    package var isIdle: Bool { flights.isEmpty }

    /// There is another credential, or an operator's word: every rest ends, and the brake.
    package mutating func begin(actions: inout [LaneAction]) {
        brake.reset()
        pace.begin()
        actions.append(.resumes)
    }
}
