import HubDirectory
@testable import HubHarness
import HubModel
import HubVocabulary
import HubWire
import Testing

@Suite("Revoked devices of a directory")
struct DirectoryRevocationTests {
    private static func generation(_ reply: Result<RevokeDevice.Reply, Refusal>) throws -> UInt32 {
        try reply.get().generation
    }

    @Test("have the next generation once it is durable, and every shard hears of it")
    func revoked() throws {
        let harness = try DirectoryHarness()
        let handle = try harness.handle(Given.phone)
        let content = Given.content(String(decoding: handle, as: UTF8.self))
        _ = try harness.create(content)
        let first = try Self.generation(harness.perform(RevokeDevice(.device(Given.phone))))
        #expect(first == 1)
        #expect(harness.directory.keyGeneration(of: Given.phone) == 1)
        #expect(harness.storage.generations[Given.phone] == 1)
        let heard = harness.actions.compactMap { action -> UInt32? in
            guard case .broadcast(.revoked(Given.phone, let generation)) = action else {
                return nil
            }
            return generation
        }
        #expect(heard == [1])
        let refusal = try harness.refusal(RevokeDevice(.handle(handle)))
        #expect(refusal == .deviceNotFound, "the old handle is nobody's")
        let new = try harness.handle(Given.phone, generation: 1)
        #expect(try Self.generation(harness.perform(RevokeDevice(.handle(new)))) == 2)
        #expect(try harness.reopened().directory.keyGeneration(of: Given.phone) == 2)
    }

    @Test("get no session in the group that revokes them")
    func sameGroup() throws {
        let harness = try DirectoryHarness()
        let handle = try harness.handle(Given.phone)
        _ = try harness.create(Given.content(String(decoding: handle, as: UTF8.self)))
        harness.forget()
        let request = AttachRequest(
            address: harness.address(1),
            device: Given.phone,
            keyGeneration: 0,
            instance: 1,
            position: .none,
            isNew: false
        )
        harness.directory.receive(.attach(request), now: harness.now)
        _ = harness.submit(RevokeDevice(.device(Given.phone)))
        harness.run()
        let answers = harness.messages.compactMap { message -> String? in
            switch message {
            case .attached: "attached"
            case .attachRefused(_, let error, _): "\(error)"
            default: nil
            }
        }
        #expect(answers == ["deviceRevoked"])
        #expect(harness.directory.gauges.sessions == 0)
    }

    @Test("twice in one group have two generations more")
    func twice() throws {
        let harness = try DirectoryHarness()
        let handle = try harness.handle(Given.phone)
        _ = try harness.create(Given.content(String(decoding: handle, as: UTF8.self)))
        let tokens = (0..<2).map { _ in harness.submit(RevokeDevice(.device(Given.phone))) }
        harness.run()
        let generations = try tokens.map { token in
            try Self.generation(try #require(token.reply))
        }
        #expect(generations == [1, 2])
        #expect(harness.storage.generations[Given.phone] == 2)
    }

    @Test("that the store refused keep their key; unknown ones are refused")
    func refused() throws {
        let harness = try DirectoryHarness()
        let unknown = RevokeDevice(.device(Given.tablet))
        #expect(try harness.refusal(unknown) == .deviceNotFound)
        let handle = try harness.handle(Given.phone)
        _ = try harness.create(Given.content(String(decoding: handle, as: UTF8.self)))
        harness.storage.refuseChanges = .full
        #expect(try harness.refusal(RevokeDevice(.device(Given.phone))) == .storeFull)
        #expect(harness.directory.keyGeneration(of: Given.phone) == 0)
        harness.storage.refuseChanges = nil
        #expect(
            try Self.generation(harness.perform(RevokeDevice(.device(Given.phone)))) == 1
        )
    }
}
