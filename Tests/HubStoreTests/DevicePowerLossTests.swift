import CFaultyDisk
import Foundation
import GRDB
import HubClient
import HubClientGRDB
import HubTestSupport
import HubWire
import Testing

extension PowerLossTests {
    /// Where a device remembers.
    enum DeviceMemoryKind: CaseIterable {
        case file, database

        func open(_ folder: String) throws -> any DeviceStore {
            switch self {
            case .file:
                return try FileDeviceStore(path: folder + "/device", journalBytesMax: 4_000)
            case .database:
                let queue = try DatabaseQueue(path: folder + "/device")
                try queue.writeWithoutTransaction { database in
                    try database.execute(sql: "PRAGMA journal_mode = WAL")
                    try database.execute(sql: "PRAGMA wal_autocheckpoint = 12")
                    // An app may want less for itself than its device needs.
                    try database.execute(sql: "PRAGMA synchronous = NORMAL")
                }
                return try DeviceDatabase(queue)
            }
        }
    }

    /// What a device's store holds behind a step.
    private struct DeviceMark: Equatable {
        var sequence: UInt64
        var waiting: [UInt64]
    }

    @Test(
        "a device's store keeps what it had committed and nothing else",
        arguments: DeviceMemoryKind.allCases
    )
    func device(kind: DeviceMemoryKind) async throws {
        try await Self.recording.alone { try look(at: kind) }
    }

    private func look(at kind: DeviceMemoryKind) throws {
        let memory = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : nil
        let root =
            (memory ?? FileManager.default.temporaryDirectory.path)
            + "/belfry-device-power-\(UUID().uuidString)"
        let folder = root + "/device"
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true
        )
        // The path lives as long as the call.
        try #require(unsafe power_loss_begin(folder) == 0)
        defer {
            power_loss_forget()
            try? FileManager.default.removeItem(atPath: root)  // Left to the system then.
        }
        var random = SeededGenerator(seed: 11)
        let marks = try steps(kind, folder, &random)
        power_loss_stop()
        var within = 0
        for _ in 0..<60 {
            let point = UInt64.random(in: marks[0].end...power_loss_count(), using: &random)
            let survival = point % 4 == 0 ? POWER_LOSS_NOTHING : POWER_LOSS_SOMETHING
            let copy = root + "/image"
            let seed = random.next()
            // The path lives as long as the call.
            try #require(unsafe power_loss_image(point, seed, Int32(survival.rawValue), copy) == 0)
            let found: DeviceMark
            do {
                let store = try kind.open(copy)
                found = DeviceMark(
                    sequence: store.state.position.sequence,
                    waiting: store.waiting.map(\.number)
                )
            }
            try FileManager.default.removeItem(atPath: copy)
            let last = marks.lastIndex { $0.end <= point } ?? 0
            let allowed = marks[last...].prefix(2).map(\.mark)
            #expect(allowed.contains(found), "crash at \(point), seed \(seed)")
            if marks[last].end < point, last + 1 < marks.count { within += 1 }
        }
        #expect(within > 0, "no crash came within a step")
    }

    /// Lets a store take some steps; what it held behind each, and how far the disk was then.
    private func steps(
        _ kind: DeviceMemoryKind,
        _ folder: String,
        _ random: inout SeededGenerator
    ) throws -> [(end: UInt64, mark: DeviceMark)] {
        var store = try kind.open(folder)
        var state = DeviceState()
        var mark = DeviceMark(sequence: 0, waiting: [])
        try store.commit(state, adding: [])
        var marks = [(end: power_loss_count(), mark: mark)]
        for step in 0..<120 {
            if step % 40 == 39 {
                store = MemoryDeviceStore()  // Closes the one that was there.
                store = try kind.open(folder)
            }
            var change = StoreChange()
            for _ in 0..<Int.random(in: 0...3, using: &random) {
                var notification = ReceivedNotification(
                    id: ID16(high: 1, low: state.nextNumber),
                    sequence: state.nextNumber,
                    slot: 0,
                    payloadBytes: 40,
                    wireBytes: 90,
                    receivedAtMilliseconds: 1
                )
                notification.number = state.nextNumber
                notification.payload = [UInt8](repeating: 0x61, count: 40)
                change.added.append(notification)
                state.recent.record(.init(id: notification.id, slot: 0))
                state.nextNumber += 1
            }
            state.position.sequence += 1
            change.state = state
            if Bool.random(using: &random) {
                change.takenThrough = UInt64.random(in: 0..<state.nextNumber, using: &random)
            }
            try store.commit(change)
            mark.sequence = state.position.sequence
            mark.waiting += change.added.map(\.number)
            mark.waiting.removeAll { $0 <= change.takenThrough ?? 0 }
            marks.append((power_loss_count(), mark))
        }
        return marks
    }
}
