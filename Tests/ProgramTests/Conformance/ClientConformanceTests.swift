import HubConformance
import Testing

@testable import ScenarioSupport

@Suite("The conformance kit against a client", .timeLimit(.minutes(10)))
struct ClientConformanceTests {
    /// Scenarios that take their time.
    static let slow = ["pings", "gives-up-a-silent-hub"]
    /// A device of its own plays each part: nearly all of their time is waiting.
    static let parts = 6

    /// Each so-many-th name of a list.
    private static func part(_ number: Int, of names: [String]) -> [String] {
        stride(from: number, to: names.count, by: parts).map { names[$0] }
    }

    @Test("our device keeps every rule, after every error number too", arguments: 0..<parts)
    func ourDevice(part: Int) async throws {
        let all = try ClientConformance().list().map(\.name).filter { !Self.slow.contains($0) }
        #expect(all.count > 55)
        let names = Self.part(part, of: all)
        let findings = try await KitRuns.findings(only: names)
        #expect(findings.map(\.name) == names)
        #expect(findings.filter { $0.verdict != .kept } == [])
    }

    @Test("our device keeps the rules that take their time, too")
    func slowRules() async throws {
        async let pings = KitRuns.findings(only: [Self.slow[0]], isPatient: true)
        async let silence = KitRuns.findings(only: [Self.slow[1]], isPatient: true)
        let findings = try await pings + silence
        #expect(findings.map(\.verdict) == [.kept, .kept], "\(findings)")
    }

    @Test(
        "our device names the error of every bad vector, and takes every parcel",
        arguments: 0..<parts
    )
    func vectors(part: Int) async throws {
        var kit = ClientConformance()
        kit.protocolFolder = SourceTree.path("Protocol")
        let all = try kit.list().map(\.name).filter { $0.hasPrefix("vector/") }
        #expect(all.count > 80)
        let names = Self.part(part, of: all)
        let findings = try await KitRuns.findings(only: names, withVectors: true)
        #expect(findings.map(\.name) == names)
        #expect(findings.filter { $0.verdict != .kept } == [])
    }

    /// A rule that the client seems to break, and the scenario that must notice.
    static let planted: [(scenario: String, mistake: KitRuns.ClientMistake)] = [
        ("acknowledges", .changing(0x21) { $0[15] &+= 1 }),
        ("inflates", .dropping(0x21)),
        ("acknowledges-whole-groups", .changing(0x21) { $0[15] &+= 1 }),
        ("comes-back-with-its-key", .changing(0x01) { $0[$0.count - 1] ^= 1 }),
        ("goes-on-behind-its-position", .changing(0x01) { $0[63] ^= $0[63] > 0 ? 1 : 0 }),
        ("keeps-its-etag", .changing(0x01) { $0[79] ^= 1 }),
        ("registers-again-after-another-etag", .dropping(0x11)),
        ("drops-what-it-has", .dropping(0x30)),
        ("first-hello", .changing(0x01) { $0[31] = 1 }),
        ("notices-a-hole", .changing(0x07) { $0[9] = 0x07 }),
        ("takes-expired-and-undecodable", .dropping(0x30)),
        ("takes-a-gap", .dropping(0x21)),
        ("error/TAKEN_OVER", KitRuns.ClientMistake(insists: true)),
        ("error/BAD_LENGTH", KitRuns.ClientMistake(reconnects: false)),
        ("stays-away-after-goaway", KitRuns.ClientMistake(insists: true)),
    ]

    @Test("a rule that is broken is noticed", arguments: planted.indices)
    func notices(_ number: Int) async throws {
        let (scenario, mistake) = Self.planted[number]
        let findings = try await KitRuns.findings(ofDeviceWith: mistake, only: [scenario])
        #expect(findings.count { $0.isBroken } == 1, "\(scenario): \(findings)")
    }
}

extension KitRuns.ClientMistake {
    /// Other bytes in frames of a type.
    static func changing(
        _ type: UInt8,
        _ edit: @escaping @Sendable (inout [UInt8]) -> Void
    ) -> KitRuns.ClientMistake {
        KitRuns.ClientMistake { frame in
            var frame = frame
            if frame[0] == type { edit(&frame) }
            return frame
        }
    }

    /// Frames of a type that never come.
    static func dropping(_ type: UInt8) -> KitRuns.ClientMistake {
        KitRuns.ClientMistake { $0[0] == type ? nil : $0 }
    }
}
