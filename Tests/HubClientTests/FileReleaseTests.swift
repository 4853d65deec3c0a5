import Foundation
import HubWire
import Testing

@testable import HubClient

@Suite("A device's file when its device has ended")
struct FileReleaseTests {
    private static func notification(_ number: UInt64) -> ReceivedNotification {
        var notification = ReceivedNotification(
            id: ID16(high: 1, low: number),
            sequence: number,
            slot: 0,
            payloadBytes: 0,
            wireBytes: 0,
            receivedAtMilliseconds: 0
        )
        notification.number = number
        return notification
    }

    @Test("it is another's, and what is taken late is added to what it holds then")
    func released() throws {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("belfry-release-\(UUID().uuidString)").path
        defer {
            for suffix in ["", ".lock"] {
                try? FileManager.default.removeItem(atPath: path + suffix)
            }
        }
        let first = try FileDeviceStore(path: path)
        var state = DeviceState()
        state.nextNumber = 2
        try first.commit(state, adding: [Self.notification(1)])
        #expect(throws: DeviceStoreError.inUse(path: path)) { try FileDeviceStore(path: path) }
        first.release()
        let second = try FileDeviceStore(path: path)
        #expect(second.waiting.map(\.number) == [1])
        state.nextNumber = 3
        try second.commit(state, adding: [Self.notification(2)])
        #expect(throws: DeviceStoreError.inUse(path: path)) { try first.markTaken(through: 1) }
        second.release()
        try first.markTaken(through: 1)
        let third = try FileDeviceStore(path: path)
        #expect(third.waiting.map(\.number) == [2])
        #expect(third.state.nextNumber == 3)
    }
}
