package import HubModel
import HubTables
package import HubVocabulary
import HubWire

/// Devices as the directory knows them apart from registrations: sessions and cursors.
package final class DeviceTable {
    /// Who speaks for a device now.
    typealias Session = SessionTable.Session

    /// Two instances that take a device from each other so often within this time are stopped.
    ///
    /// Source: Protocol [S-5].
    private static let quarrelMilliseconds = UInt64(WireLimits.quarrelSeconds) * 1_000

    /// The key generation of each device.
    let keys = KeyGenerations()
    private let idleSeconds: UInt64
    /// Seconds after which a device is looked at again: what is durable of a connected one is never
    /// older than that.
    private var lookSeconds: UInt64 { idleSeconds / 10 }
    private var sessions: SessionTable
    private var cursors: CursorTable
    /// Devices whose cursors the store must forget.
    private var forgotten: Set<DeviceID> = []
    /// The next place of `cursors` to look at; nil between two rounds.
    private var hand: Int?
    /// When the last round began.
    private var roundBegan: Instant?
    /// The sum of all cursors' `scannedThrough`.
    private var scannedSum: UInt64 = 0
    private var sessionCounter: UInt64 = 0
    private var changes = ChangeRates()

    /// An empty table; a device is idle after so many days without a sign of life.
    init(idleDays: UInt64, seed: UInt64) {
        idleSeconds = idleDays * 86_400
        cursors = CursorTable(seed: seed)
        sessions = SessionTable(seed: seed)
    }

    // MARK: Loading

    /// Makes room for the cursors of so many devices in all.
    func reserve(_ total: Int) { cursors.reserve(total) }

    /// Takes all cursors of a store, in place of none.
    func load(_ table: consuming CursorTable, head: UInt64) {
        cursors = table
        var above: [StoredCursor] = []
        var sum: UInt64 = 0
        _ = cursors.forEach(from: 0, looking: cursors.placeCount) { cursor in
            sum += cursor.scannedThrough
            if cursor.isAbove(head) { above.append(cursor) }
            return true
        }
        scannedSum = sum
        for cursor in above { load(cursor, head: head) }
    }

    /// Takes a cursor from the store; one above the head belongs to a lost history.
    ///
    /// A lowered cursor becomes durable with the next checkpoint. The store merges by maximum, so
    /// it is told to forget the higher one first. Otherwise the old one would hold again once the
    /// log has grown past it.
    func load(_ cursor: StoredCursor, head: UInt64) {
        guard cursor.isAbove(head) else { return keep(cursor, isChanged: false) }
        var clamped = cursor
        clamped.acknowledged = min(cursor.acknowledged, head)
        clamped.scannedThrough = min(cursor.scannedThrough, head)
        clamped.evaluatedThrough = min(cursor.evaluatedThrough, head)
        keep(clamped, isChanged: true)
        forgotten.insert(cursor.device)
    }

    /// Puts a cursor into the table.
    private func keep(_ cursor: StoredCursor, isChanged: Bool) {
        let former = cursors.put(cursor, isChanged: isChanged)
        scannedSum += cursor.scannedThrough
        scannedSum -= former?.scannedThrough ?? 0
    }

    // MARK: Sessions

    /// The present session of a device.
    func session(of device: DeviceID) -> Session? { sessions[device] }

    /// The key generation that a device must prove.
    package func keyGeneration(of device: DeviceID) -> UInt32 { keys[device] }

    /// Whether a device has a session, left a cursor, or has had its key revoked.
    func knows(_ device: DeviceID) -> Bool {
        sessions[device] != nil || cursors[device] != nil || keys[device] > 0
    }

    /// Whether a device has a session.
    package func isConnected(_ device: DeviceID) -> Bool { sessions[device] != nil }

    /// Whether a session is the device's present one.
    func isCurrent(_ generation: UInt64, of device: DeviceID) -> Bool {
        sessions[device]?.generation == generation
    }

    /// Whether one more takeover by `instance` would be a quarrel of two instances.
    func isQuarrel(_ device: DeviceID, instance: UInt64, now: Instant) -> Bool {
        guard let session = sessions[device], session.isRival(instance) else { return false }
        return session.takeovers + 1 >= WireLimits.quarrelTakeoversMax
            && now.milliseconds(since: session.takeoversSince) < Self.quarrelMilliseconds
    }

    /// Counts a change of a device's registrations; false when it comes too soon.
    func mayChange(_ device: DeviceID, _ limit: RateLimit, now: Instant) -> Bool {
        changes.take(device, limit, now: now)
    }

    /// Opens a session and fences the one before, which is returned.
    func open(_ request: AttachRequest, now: Instant) -> (new: UInt64, old: Session?) {
        sessionCounter += 1
        let old = sessions[request.device]
        var session = Session(
            device: request.device,
            address: request.address,
            generation: sessionCounter,
            instance: request.instance,
            now: now
        )
        if let old {
            let age = now.milliseconds(since: old.takeoversSince)
            session.follow(old, isRecent: age < Self.quarrelMilliseconds)
        }
        sessions.put(session)
        return (sessionCounter, old)
    }

    /// Closes a session if it is still the present one; says whether it was.
    func close(_ generation: UInt64, of device: DeviceID) -> Bool {
        guard isCurrent(generation, of: device) else { return false }
        sessions.remove(device)
        return true
    }

    // MARK: Cursors

    /// The cursor of a device; nil for one that never registered nor acknowledged.
    package func cursor(of device: DeviceID) -> StoredCursor? { cursors[device] }

    /// The places of devices that have no cursor, ascending; `.none` is no device.
    func placesWithoutCursor(_ devices: [DeviceID]) -> [Int] { cursors.placesWithout(devices) }

    /// Calls `body` with the cursors of so many places from one on, until it says no.
    ///
    /// - Returns: the place behind the last one looked at; nil when there are no more.
    package func forEachCursor(
        from start: Int,
        looking count: Int,
        _ body: (StoredCursor) -> Bool
    ) -> Int? {
        // In the table: each call from here would retain and release all its arrays.
        let place = cursors.forEach(from: start, looking: count, body)
        return place < cursors.placeCount ? place : nil
    }

    /// Calls `body` with so many places of cursors as they lie; a free one names no device.
    ///
    /// - Returns: the next place; nil where there is none.
    package func withCursors(
        from start: Int,
        looking count: Int,
        _ body: (Span<StoredCursor>) -> Void
    ) -> Int? {
        let place = cursors.withPlaces(from: start, looking: count, body)
        return place < cursors.placeCount ? place : nil
    }

    /// Calls `body` with the cursors of the devices that have a session, whose places are others.
    package func forEachConnected(
        from start: Int,
        looking count: Int,
        _ body: (StoredCursor) -> Bool
    ) -> Int? {
        let place = sessions.forEach(from: start, looking: count) { device in
            cursors[device].map(body) ?? true
        }
        return place < sessions.placeCount ? place : nil
    }

    /// Merges progress by maximum; makes the cursor when there is none.
    ///
    /// Returns what was acknowledged before.
    @discardableResult
    func advance(
        _ device: DeviceID,
        acknowledged: UInt64,
        scannedThrough: UInt64,
        evaluatedThrough: UInt64 = 0,
        now: Timestamp
    ) -> UInt64 {
        let known = cursors[device]
        var cursor =
            known
            ?? StoredCursor(device: device, acknowledged: 0, scannedThrough: 0, lastSeen: now)
        let before = cursor.acknowledged
        cursor.acknowledged = max(cursor.acknowledged, acknowledged)
        cursor.scannedThrough = max(cursor.scannedThrough, scannedThrough, cursor.acknowledged)
        cursor.evaluatedThrough = max(cursor.evaluatedThrough, evaluatedThrough)
        cursor.lastSeen = max(cursor.lastSeen, now)
        if cursor != known { keep(cursor, isChanged: true) }
        return before
    }

    /// Notes a sign of life of a device that has a cursor.
    func seen(_ device: DeviceID, now: Timestamp) {
        guard var cursor = cursors[device], cursor.lastSeen < now else { return }
        cursor.lastSeen = now
        keep(cursor, isChanged: true)
    }

    /// How many cursors wait to become durable, or to be forgotten.
    var dirtyCount: Int { cursors.changedCount + forgotten.count }

    /// Takes the cursors that wait, and the devices whose cursor is to be forgotten; they count as
    /// stored from here on.
    func takeDirty() -> (forgotten: [DeviceID], cursors: [StoredCursor]) {
        defer { forgotten.removeAll() }
        return (forgotten.sorted(), cursors.takeChanged())
    }

    /// Devices with a cursor.
    var cursorCount: Int { cursors.count }

    /// Devices that may come: those with a cursor, or as many as have a session.
    var count: Int { max(cursors.count, sessions.count) }

    /// Devices with a session.
    var sessionCount: Int { sessions.count }

    /// How far devices were evaluated, on average; nil without any.
    var scannedMean: UInt64? { cursors.count == 0 ? nil : scannedSum / UInt64(cursors.count) }

    // MARK: Idle devices

    /// Whether a device has no session and was not seen for too long.
    func isIdle(_ device: DeviceID, now: Timestamp) -> Bool {
        guard sessions[device] == nil, let cursor = cursors[device] else { return false }
        return cursor.lastSeen.adding(seconds: idleSeconds) <= now
    }

    /// The idle ones of the next `count` devices; those that are connected are seen by this.
    ///
    /// Goes round all devices, again and again, with `pauseSeconds` from the beginning of one round
    /// to that of the next, if it is not longer.
    func nextIdle(looking count: Int, pauseSeconds: UInt64, now: Now) -> [DeviceID] {
        if hand == nil {
            if let roundBegan {
                let past = now.instant.milliseconds(since: roundBegan)
                guard past >= pauseSeconds * 1_000 else { return [] }
            }
            roundBegan = now.instant
        }
        let start = hand ?? 0
        let end = min(start + count, cursors.placeCount)
        var found: [DeviceID] = []
        for place in start..<end {
            guard let cursor = cursors.cursor(at: place) else { continue }
            if sessions[cursor.device] == nil {
                if isIdle(cursor.device, now: now.time) { found.append(cursor.device) }
            } else if cursor.lastSeen.adding(seconds: lookSeconds) <= now.time {
                seen(cursor.device, now: now.time)
            }
        }
        hand = end < cursors.placeCount ? end : nil
        return found
    }

    /// Drops a device's cursor, here and in the store.
    func forget(_ device: DeviceID) {
        guard let cursor = cursors.remove(device) else { return }
        scannedSum -= cursor.scannedThrough
        forgotten.insert(device)
    }
}

extension StoredCursor {
    /// Whether any of it lies above the head of the log.
    fileprivate func isAbove(_ head: UInt64) -> Bool {
        max(acknowledged, scannedThrough, evaluatedThrough) > head
    }
}
