import Foundation
import GRDB
import HubClient
import HubClientGRDB
import HubWire
import Testing

/// A folder that goes with the test.
private final class Folder {
    let path = FileManager.default.temporaryDirectory
        .appendingPathComponent("belfry-database-\(UUID().uuidString)").path

    init() throws {
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: false
        )
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }  // Left to the system then.

    func queue() throws -> DatabaseQueue { try DatabaseQueue(path: path + "/app.sqlite") }
}

@Suite("A device's memory in a database")
struct DeviceDatabaseTests {
    private static func notification(_ number: UInt64) -> ReceivedNotification {
        var notification = ReceivedNotification(
            id: ID16(high: 1, low: number),
            sequence: number + 100,
            slot: 3,
            payloadBytes: 2,
            wireBytes: 44,
            receivedAtMilliseconds: 5
        )
        notification.number = number
        notification.payload = [0x7B, 0x7D]
        notification.headers = [.init(name: "a", value: "b")]
        return notification
    }

    /// A state that has come to a sequence number.
    private static func state(_ sequence: UInt64, after earlier: DeviceState? = nil) -> DeviceState
    {
        var state = earlier ?? DeviceState()
        state.identity = DeviceIdentity(
            id: ID16(high: 7, low: 7),
            key: Array(0..<32),
            handle: Array(32..<64)
        )
        state.choices = [
            SlotChoice(choice: RegistrationChoice(platform: .gcm, tags: ["a"]), isConfirmed: true)
        ]
        state.position = Position(epoch: 4, sequence: sequence, check: 9)
        state.recent.record(.init(id: ID16(high: 2, low: sequence), slot: 0))
        state.nextNumber = sequence + 1
        return state
    }

    @Test("gives back everything that was committed, also after a new start")
    func roundTrip() throws {
        let folder = try Folder()
        var state = DeviceState()
        do {
            let memory = try DeviceDatabase(try folder.queue())
            #expect(memory.state == DeviceState())
            for number: UInt64 in 1...5 {
                state = Self.state(number, after: state)
                if number == 3 {
                    state.receipts = [
                        Receipt(notification: .zero, event: 6, slot: 2, time: 8)
                    ]
                    state.openGroup = OpenGroup(sequence: 9, slots: [1, 2])
                }
                try memory.commit(state, adding: [Self.notification(number)])
            }
            try memory.markTaken(through: 2)
            #expect(memory.waitingCount == 3)
        }
        let again = try DeviceDatabase(try folder.queue())
        #expect(again.state == state)
        #expect(again.waiting == (3...5).map { Self.notification($0) })
        #expect(again.waitingCount == 3)
    }

    @Test("remembers the newest 1,024 entries for a RESET, and few more")
    func entries() throws {
        let folder = try Folder()
        var state = DeviceState()
        do {
            let memory = try DeviceDatabase(try folder.queue())
            for batch: UInt64 in 0..<60 {
                for number in 0..<50 {
                    state = Self.state(batch * 50 + UInt64(number), after: state)
                }
                try memory.commit(state, adding: [])
            }
        }
        let found = try DeviceDatabase(try folder.queue()).state.recent
        #expect(found.recorded == 3_000)
        #expect(found.entries.count >= 1_024)
        #expect(found.entries.count <= 1_088)
        #expect(found.entries.last == state.recent.entries.last)
    }

    @Test("the app's own rows and the device's place are one transaction")
    func ownRows() throws {
        struct Refused: Error {}
        let folder = try Folder()
        let queue = try folder.queue()
        try queue.write { try $0.execute(sql: "CREATE TABLE message (number INTEGER, text TEXT)") }
        let memory = try DeviceDatabase(queue) { database, notifications in
            for notification in notifications {
                try database.execute(
                    sql: "INSERT INTO message VALUES (?, ?)",
                    arguments: [Int64(notification.number), notification.text]
                )
                if notification.number == 3 { throw Refused() }
            }
        }
        try memory.commit(Self.state(1), adding: [Self.notification(1)])
        #expect(memory.waitingCount == 0)
        let before = memory.state
        #expect(throws: DeviceStoreError.self) {
            try memory.commit(
                Self.state(3, after: before),
                adding: [Self.notification(2), Self.notification(3)]
            )
        }
        #expect(memory.state == before)
        let numbers = try queue.read { try Int.fetchAll($0, sql: "SELECT number FROM message") }
        #expect(numbers == [1])
        try memory.markTaken(through: 1)
        #expect(memory.waitingCount == 0)
    }

    @Test("one device works with a database at a time")
    func alone() throws {
        let folder = try Folder()
        let queue = try folder.queue()
        var memory: DeviceDatabase? = try DeviceDatabase(queue)
        #expect(throws: DeviceStoreError.inUse(path: queue.path)) { try DeviceDatabase(queue) }
        #expect(memory?.waitingCount == 0)
        memory?.release()
        _ = try DeviceDatabase(queue)
        memory = nil
        _ = try DeviceDatabase(queue)
        // No other connection sees those in memory.
        _ = try DeviceDatabase(try DatabaseQueue())
    }

    @Test("one client works with its tables at a time")
    func oneClient() async throws {
        let folder = try Folder()
        let memory = try DeviceDatabase(folder.queue())
        func client() throws -> DeviceClient {
            try DeviceClient(hub: "h", host: "localhost", port: 1, tokens: nil, database: memory)
        }
        let first = try client()
        #expect(throws: DeviceFault.self) { try client() }
        await first.close()
        await (try client()).close()
        withExtendedLifetime(folder) {}
    }

    @Test("rows of another release and damaged rows are told apart")
    func otherRows() throws {
        let folder = try Folder()
        let queue = try folder.queue()
        try DeviceDatabase(queue).commit(Self.state(1), adding: [])
        func error(_ place: String) throws -> DeviceStoreError? {
            try queue.write {
                try $0.execute(sql: "UPDATE belfry_state SET value = \(place) WHERE part = 'place'")
            }
            do throws(DeviceStoreError) {
                _ = try DeviceDatabase(queue)
                return nil
            } catch {
                return error
            }
        }
        #expect(try error("x'09'") == .versionUnsupported(path: queue.path, version: 9))
        guard case .damaged = try error("x'0100'") else {
            Issue.record("a row that is cut is damaged")
            return
        }
    }

    @Test("what the database refuses is an error, and nothing has changed")
    func refused() throws {
        let folder = try Folder()
        let queue = try folder.queue()
        let memory = try DeviceDatabase(queue)
        try memory.commit(Self.state(1), adding: [Self.notification(1)])
        let before = memory.state
        try queue.write { try $0.execute(sql: "DROP TABLE belfry_waiting") }
        guard
            case .database = #expect(
                throws: DeviceStoreError.self,
                performing: { try memory.commit(Self.state(2), adding: [Self.notification(2)]) }
            )
        else {
            Issue.record("the reason is the database's")
            return
        }
        #expect(memory.state == before)
        #expect(memory.waiting == [])
    }
}
