import Glibc
import HubClient
import HubParcel
import HubVocabulary
import HubWire
import Testing

@Suite("Device store")
struct DeviceStoreTests {
    static func state() -> DeviceState {
        var state = DeviceState()
        state.identity = DeviceIdentity(
            id: ID16(high: 1, low: .max),
            key: Array(0..<32),
            handle: Array(32..<64)
        )
        state.position = Position(epoch: .max, sequence: .max - 1, check: .max)
        state.openGroup = OpenGroup(sequence: 9, slots: [0, 0xFFFF])
        state.etag = .max
        let template = RegistrationChoice.template(
            slot: 3,
            platform: .windows,
            name: "t",
            body: "<toast>$(a)</toast>",
            expiry: "$(e)",
            headers: [("X-WNS-Type", "wns/toast")],
            tags: ["World", "schön"]
        )
        state.choices = [
            SlotChoice(choice: RegistrationChoice(platform: .gcm, tags: []), isConfirmed: true),
            SlotChoice(choice: template, isConfirmed: false),
        ]
        state.removals = [7]
        state.recent.record(RecentEntries.Entry(id: ID16(high: 5, low: 6), slot: 2))
        state.recent.beginComparing()
        state.receipts = [
            Receipt(notification: ID16(high: 5, low: 6), event: 6, action: 1, slot: 2, time: 8)
        ]
        state.keepAlive = KeepAlive(start: 240, least: 15, most: 900)
        state.nextNumber = 12
        return state
    }

    static func notification(_ number: UInt64) -> ReceivedNotification {
        var notification = ReceivedNotification(
            id: ID16(high: number, low: 2),
            sequence: number,
            slot: 1,
            payloadBytes: 3,
            wireBytes: 60,
            receivedAtMilliseconds: 99
        )
        notification.number = number
        notification.platform = .apple
        notification.isTemplate = true
        notification.urgency = .high
        notification.contentType = .json
        notification.collapseKey = "k"
        notification.headers = [.init(name: "a", value: "b")]
        notification.tags = ["World"]
        notification.payload = [0, 0xFF, 0x22]
        return notification
    }

    @Test("a file gives back everything that was committed")
    func roundTrip() throws {
        let disk = CrashingDisk()
        let store = try FileDeviceStore(path: "d", disk: disk)
        #expect(store.state == DeviceState())
        let notifications = [Self.notification(1), Self.notification(2)]
        try store.commit(Self.state(), adding: notifications)
        let again = try FileDeviceStore(path: "d", disk: disk)
        #expect(again.state == Self.state())
        #expect(again.waiting == notifications)
        try again.markTaken(through: 1)
        let third = try FileDeviceStore(path: "d", disk: disk)
        #expect(third.waiting == [Self.notification(2)])
        #expect(third.state == Self.state())
    }

    /// A commit that crashes after some steps, and what a process finds that starts then.
    private func crash(after steps: Int, journalBytesMax: Int) throws -> (isThere: Bool, Bool) {
        let disk = CrashingDisk()
        let store = try FileDeviceStore(
            path: "d",
            disk: disk,
            journalBytesMax: journalBytesMax
        )
        var before = DeviceState()
        before.position = Position(epoch: 1, sequence: 5, check: 5)
        try store.commit(before, adding: [Self.notification(1)])
        var after = before
        after.position.sequence = 6

        disk.crash(after: steps)
        var failed = false
        do throws(DeviceStoreError) {
            try store.commit(after, adding: [Self.notification(2)])
        } catch {
            failed = true
        }
        // What was refused is not what the device goes on with.
        #expect(store.state == (failed ? before : after), "crash after \(steps) steps")
        disk.restart()
        let reopened = try FileDeviceStore(path: "d", disk: disk)
        let hasMessage = reopened.waiting.count == 2
        let hasPosition = reopened.state.position.sequence == 6
        #expect(hasMessage == hasPosition, "crash after \(steps) steps")
        if !failed { #expect(hasMessage, "crash after \(steps) steps") }
        // Those who go on in the same process put it right with the next commit.
        try store.commit(after, adding: [Self.notification(3)])
        let third = try FileDeviceStore(path: "d", disk: disk)
        #expect(third.waiting == store.waiting, "crash after \(steps) steps")
        return (hasMessage, failed)
    }

    @Test("a crash at any step of replacing the file leaves message and position, or neither")
    func crashes() throws {
        for steps in 0..<8 {
            let (isThere, failed) = try crash(after: steps, journalBytesMax: 0)
            if steps < 4 { #expect(!isThere, "crash after \(steps) steps") }
            #expect(failed == (steps < 6), "crash after \(steps) steps")
        }
    }

    @Test("a crash at any step of an append leaves message and position, or neither")
    func crashesWhileAppending() throws {
        for steps in 0..<5 {
            let (isThere, failed) = try crash(after: steps, journalBytesMax: 1 << 20)
            if steps < 2 { #expect(!isThere, "crash after \(steps) steps") }
            #expect(failed == (steps < 3), "crash after \(steps) steps")
        }
    }

    @Test("an append that fails alone is made good by a new file at once")
    func replacesAfterFailedAppend() throws {
        let disk = CrashingDisk()
        let store = try FileDeviceStore(path: "d", disk: disk)
        try store.commit(Self.state(), adding: [Self.notification(1)])
        disk.remove("d")
        try store.commit(Self.state(), adding: [Self.notification(2)])
        #expect(try FileDeviceStore(path: "d", disk: disk).waiting.count == 2)
        #expect(disk.appends == 0)
    }

    /// A change that a device may make, with the state behind it.
    private static func change(_ state: DeviceState, _ random: inout SeededRandom) -> StoreChange {
        var next = state
        var change = StoreChange()
        for _ in 0..<Int.random(in: 0..<4, using: &random) {
            change.added.append(notification(next.nextNumber))
            next.recent.record(.init(id: ID16(high: 9, low: next.nextNumber), slot: 0))
            next.nextNumber += 1
        }
        next.position.sequence += 1
        if Int.random(in: 0..<8, using: &random) == 0 { next.etag += 1 }
        if Int.random(in: 0..<8, using: &random) == 0 { next.receipts += Self.state().receipts }
        next.openGroup = Bool.random(using: &random) ? OpenGroup(sequence: 3, slots: [1]) : nil
        change.state = next
        if Int.random(in: 0..<3, using: &random) == 0 {
            change.takenThrough = UInt64.random(in: 0...next.nextNumber, using: &random)
        }
        return change
    }

    @Test(
        "whatever crashes, a store holds what was committed, each step whole or not at all",
        arguments: 0..<40
    )
    func model(seed: UInt64) throws {
        struct Content: Equatable {
            var state = DeviceState()
            var waiting: [ReceivedNotification] = []
        }
        var random = SeededRandom(seed: seed)
        let disk = CrashingDisk()
        let journal = [0, 2_000, 1 << 20][Int(seed % 3)]
        var store = try FileDeviceStore(path: "d", disk: disk, journalBytesMax: journal)
        var content = Content()
        // What was refused since the last success: after a crash it may be there, whole.
        var refused: [Content] = []
        for step in 0..<120 {
            let change = Self.change(content.state, &random)
            if Int.random(in: 0..<5, using: &random) == 0 {
                disk.crash(after: Int.random(in: 0..<8, using: &random))
            }
            let next = Content(
                state: change.state ?? content.state,
                waiting: (content.waiting + change.added).filter {
                    $0.number > change.takenThrough ?? 0
                }
            )
            do throws(DeviceStoreError) {
                try store.commit(change)
                content = next
                refused = []
            } catch {
                refused.append(next)
            }
            disk.restart()
            if Int.random(in: 0..<4, using: &random) == 0 {
                store = try FileDeviceStore(path: "d", disk: disk, journalBytesMax: journal)
                let found = Content(state: store.state, waiting: store.waiting)
                if refused.contains(found) { content = found }
                refused = []
            }
            let held = Content(state: store.state, waiting: store.waiting)
            #expect(held == content, "seed \(seed), step \(step)")
            #expect(store.waitingCount == content.waiting.count, "seed \(seed), step \(step)")
        }
    }

    @Test("an append does not grow with what waits, nor with what the device remembers")
    func appendsLittle() throws {
        let disk = CrashingDisk()
        let store = try FileDeviceStore(path: "d", disk: disk)
        var state = Self.state()
        for number: UInt64 in 1...1_000 {
            state.recent.record(.init(id: ID16(high: 9, low: number), slot: 0))
        }
        try store.commit(state, adding: (1...1_000).map { Self.notification($0) })
        let before = try #require(disk.bytes(at: "d")).count
        state.position.sequence -= 1
        state.recent.record(.init(id: ID16(high: 9, low: 1_001), slot: 0))
        try store.commit(
            StoreChange(state: state, adding: [Self.notification(1_001)], takenThrough: 1)
        )
        let after = try #require(disk.bytes(at: "d")).count
        #expect(disk.appends == 1)
        #expect(after - before < 400)
        #expect(store.waitingCount == 1_000)
    }

    @Test("a damaged file is told apart from a good one at every byte")
    func damaged() throws {
        let disk = CrashingDisk()
        try FileDeviceStore(path: "d", disk: disk).commit(Self.state(), adding: [])
        let good = try #require(disk.bytes(at: "d"))
        for index in good.indices {
            var bad = good
            bad[index] ^= 0x01
            disk.put(bad, at: "d")
            #expect(throws: DeviceStoreError.self, "byte \(index)") {
                try FileDeviceStore(path: "d", disk: disk)
            }
        }
        for length in 0..<good.count {
            disk.put(Array(good.prefix(length)), at: "d")
            #expect(throws: DeviceStoreError.self, "cut to \(length) bytes") {
                try FileDeviceStore(path: "d", disk: disk)
            }
        }
    }

    @Test("a cut append has not happened; damage in front of a whole one is told")
    func damagedJournal() throws {
        let disk = CrashingDisk()
        let store = try FileDeviceStore(path: "d", disk: disk)
        var state = DeviceState()
        try store.commit(state, adding: [])
        var ends = [try #require(disk.bytes(at: "d")).count]
        for number: UInt64 in 1...3 {
            state.position.sequence = number
            try store.commit(state, adding: [Self.notification(number)])
            ends.append(try #require(disk.bytes(at: "d")).count)
        }
        let good = try #require(disk.bytes(at: "d"))
        for length in ends[0]...good.count {
            disk.put(Array(good.prefix(length)), at: "d")
            let whole = ends.filter { $0 <= length }.count - 1
            let cut = try FileDeviceStore(path: "d", disk: disk)
            #expect(cut.state.position.sequence == UInt64(whole), "cut to \(length) bytes")
            #expect(cut.waitingCount == whole, "cut to \(length) bytes")
        }
        for index in ends[0]..<ends[2] {
            var bad = good
            bad[index] ^= 0x01
            disk.put(bad, at: "d")
            #expect(throws: DeviceStoreError.self, "byte \(index)") {
                try FileDeviceStore(path: "d", disk: disk)
            }
        }
    }

    @Test("a cut append full of what looks like records opens as fast as another")
    func hostileJournal() throws {
        let disk = CrashingDisk()
        try FileDeviceStore(path: "d", disk: disk).commit(Self.state(), adding: [])
        let good = try #require(disk.bytes(at: "d"))
        // Each mark claims half of the rest: hundreds of gigabytes to hash, one after another.
        let count = 1 << 20
        var tail: [UInt8] = []
        while tail.count < count {
            let claimed = UInt32((count - tail.count) / 2)
            tail += [0xBE, 0x1F, 0x0D, 0x0C]
            tail += [24, 16, 8, 0].map { (shift: UInt32) in
                UInt8(truncatingIfNeeded: claimed >> shift)
            }
        }
        disk.put(good + tail, at: "d")
        let start = ContinuousClock.now
        let store = try FileDeviceStore(path: "d", disk: disk)
        #expect(start.duration(to: .now) < .seconds(60))
        #expect(store.state == Self.state())
    }

    @Test("each kind of unusable file has its error")
    func kinds() throws {
        let disk = CrashingDisk()
        func error(_ text: String) -> DeviceStoreError? {
            disk.put(Array(text.utf8), at: "d")
            do throws(DeviceStoreError) {
                _ = try FileDeviceStore(path: "d", disk: disk)
                return nil
            } catch {
                return error
            }
        }
        #expect(error("{\"a\":1}") == .notADeviceFile(path: "d"))
        #expect(error("belfry-device 9\n") == .versionUnsupported(path: "d", version: 9))
        #expect(error("belfry-device 1 0\n{}") == .versionUnsupported(path: "d", version: 1))
        guard case .damaged = error("belfry-device 2\n{}") else {
            Issue.record("a file without a whole record is damaged")
            return
        }
    }

    @Test("on a real disk only the owner may read the file, and nothing else is left behind")
    func realDisk() throws {
        let folder = "/tmp/belfry-store-\(UInt64.random(in: 0 ... .max))"
        // The path is borrowed for the call.
        try #require(unsafe mkdir(folder, 0o700) == 0)
        let path = folder + "/device.state"
        defer {
            unsafe unlink(path)
            unsafe rmdir(folder)
        }
        var store: FileDeviceStore? = try FileDeviceStore(path: path)
        try store?.commit(Self.state(), adding: [Self.notification(1)])
        try store?.commit(Self.state(), adding: [Self.notification(2)])
        #expect(throws: DeviceStoreError.inUse(path: path)) { try FileDeviceStore(path: path) }
        store = nil
        #expect(unsafe access(path + ".lock", F_OK) == -1)
        var status = stat()
        // Both arguments live for the call.
        #expect(unsafe lstat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(unsafe access(path + ".new", F_OK) == -1)
        #expect(try FileDeviceStore(path: path).waiting.count == 2)
    }

    @Test("a folder that cannot be written to is an error that names it")
    func noFolder() throws {
        let path = "/nonexistent-belfry/device.state"
        let expected = DeviceStoreError.system(
            operation: "create",
            path: path + ".lock",
            code: ENOENT
        )
        #expect(throws: expected) { try FileDeviceStore(path: path) }
    }

    @Test("the memory of a RESET holds the newest 1,024 entries at least, and few more")
    func recent() {
        var recent = RecentEntries()
        func entry(_ number: UInt64) -> RecentEntries.Entry {
            RecentEntries.Entry(id: ID16(high: 0, low: number), slot: 0)
        }
        for number: UInt64 in 1...5_000 { recent.record(entry(number)) }
        #expect(!recent.repeats(entry(5_000)))
        recent.beginComparing()
        for number: UInt64 in (5_000 - 1_023)...5_000 { #expect(recent.repeats(entry(number))) }
        #expect(recent.entries.count <= WireLimits.resetMemoryMax + 64)
        #expect(!recent.repeats(entry(1)))
        for number: UInt64 in 6_000..<(6_000 + 1_024) { recent.record(entry(number)) }
        #expect(!recent.repeats(entry(7_023)))
    }
}
