import Glibc
import HubClient
import HubParcel
import HubWire
import Synchronization
import Testing

/// A disk in memory that crashes at a step, in the middle of a write too.
final class CrashingDisk: DeviceDisk {
    private struct Content {
        var files: [String: [UInt8]] = [:]
        var stepsLeft = Int.max
    }

    private let content = Mutex(Content())

    /// Fails the step after `steps` more, and every one after it.
    func crash(after steps: Int) { content.withLock { $0.stepsLeft = steps } }

    /// The machine is up again; what reached the files is there.
    func restart() { content.withLock { $0.stepsLeft = .max } }

    func put(_ bytes: [UInt8], at path: String) { content.withLock { $0.files[path] = bytes } }

    func bytes(at path: String) -> [UInt8]? { content.withLock { $0.files[path] } }

    func read(_ path: String) throws(DeviceStoreError) -> [UInt8]? { bytes(at: path) }

    func write(_ bytes: [UInt8], to path: String) throws(DeviceStoreError) {
        try content.withLock { content throws(DeviceStoreError) in
            // Making the file, half of the bytes, all of them, the sync: four places to crash.
            for written in [0, bytes.count / 2, bytes.count, bytes.count] {
                try Self.step(&content, "write", path)
                content.files[path] = Array(bytes.prefix(written))
            }
        }
    }

    func rename(_ old: String, to new: String) throws(DeviceStoreError) {
        try content.withLock { content throws(DeviceStoreError) in
            try Self.step(&content, "rename", new)
            content.files[new] = content.files.removeValue(forKey: old)
        }
    }

    func syncFolder(of path: String) throws(DeviceStoreError) {
        try content.withLock { content throws(DeviceStoreError) in
            try Self.step(&content, "sync", path)
        }
    }

    private static func step(
        _ content: inout Content,
        _ operation: String,
        _ path: String
    ) throws(DeviceStoreError) {
        guard content.stepsLeft > 0 else {
            throw .system(operation: operation, path: path, code: EIO)
        }
        content.stepsLeft -= 1
    }
}

@Suite("Device store")
struct DeviceStoreTests {
    static func state() -> DeviceState {
        var state = DeviceState()
        state.identity = DeviceIdentity(
            id: ID16(high: 1, low: .max),
            key: Array(0..<32),
            handle: Array(32..<64)
        )
        state.position = LinkPosition(epoch: .max, sequence: .max - 1, check: .max)
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

    @Test("a crash at any step loses neither message nor position, or both")
    func crashes() throws {
        for steps in 0..<8 {
            let disk = CrashingDisk()
            let store = try FileDeviceStore(path: "d", disk: disk)
            var before = DeviceState()
            before.position = LinkPosition(epoch: 1, sequence: 5, check: 5)
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
            if steps < 4 { #expect(!hasMessage, "crash after \(steps) steps") }
        }
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
        #expect(error("belfry-device 9 0\n{}") == .versionUnsupported(path: "d", version: 9))
        guard case .damaged = error("belfry-device 1 0\n{}") else {
            Issue.record("a wrong checksum is damage")
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
