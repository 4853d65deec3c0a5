import HubCore
import Testing

@testable import HubServer
@testable import HubTransport

@Suite("A shard's mailbox")
struct ShardMailboxTests {
    @Test("that is full loses no revocation, setting or page: they come once there is room")
    func vital() throws {
        let box = try ShardMailbox(capacity: 2)
        let device = DeviceID(high: 1, low: 1)
        for generation in UInt32(1)...5 {
            box.post(.revoked(device, generation: generation), of: Example.hub)
        }
        func taken() -> [UInt32] {
            let mail = box.mailbox.drain()
            box.applied(0, weighing: 0, of: Example.hub)
            return mail.compactMap { mail in
                guard case .hub(_, .revoked(_, let generation)) = mail else { return nil }
                return generation
            }
        }
        #expect(taken() == [1, 2])
        #expect(taken() == [3, 4])
        #expect(taken() == [5])
        #expect(taken().isEmpty)
    }
}
