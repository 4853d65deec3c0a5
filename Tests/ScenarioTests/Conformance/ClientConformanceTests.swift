import HubConformance
import Testing

@Suite("The conformance kit against a client", .timeLimit(.minutes(10)))
struct ClientConformanceTests {
    @Test("our device keeps every rule, after every error number too")
    func ourDevice() async throws {
        let findings = try await KitRuns.findings(only: [])
        #expect(findings.filter(\.isBroken) == [])
        #expect(findings.count { $0.verdict == .kept } > 55)
    }

    @Test("our device keeps the rules that take their time, too")
    func slowRules() async throws {
        async let pings = KitRuns.findings(only: ["pings"], isPatient: true)
        async let silence = KitRuns.findings(only: ["gives-up-a-silent-hub"], isPatient: true)
        let findings = try await pings + silence
        #expect(findings.map(\.verdict) == [.kept, .kept], "\(findings)")
    }

    @Test("our device names the error of every bad vector, and takes every parcel")
    func vectors() async throws {
        let findings = try await KitRuns.findings(only: ["vector"], withVectors: true)
        #expect(findings.filter(\.isBroken) == [])
        #expect(findings.count { $0.verdict == .kept } > 80)
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
