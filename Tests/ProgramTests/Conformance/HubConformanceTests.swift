import Foundation
import HubClient
import HubConformance
import HubSender
import HubServer
import HubVocabulary
import Testing

@testable import ScenarioSupport

@Suite("The conformance kit against a hub", .timeLimit(.minutes(10)))
struct HubConformanceTests {
    private struct Line: Decodable {
        var name: String
        var verdict: String
        var expected: String?
        var came: String?
    }

    @Test("our hub keeps every rule, in every vector and scenario")
    func ourHub() async throws {
        let hub = try await RunningHub.start()
        let program = try Program.belfry([
            "conformance", "--data", hub.folder.path, "--protocol", SourceTree.path("Protocol"),
            "--purge", "--json",
        ])
        let code = try await program.exitCode(seconds: 500)
        let lines = try program.output.events.map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        let broken = lines.filter { $0.verdict == "broken" }
        #expect(code == 0 && broken.isEmpty, "\(broken) \(program.errors.events)")
        #expect(lines.count { $0.verdict == "kept" } > 380)
        #expect(try await hub.terminate() == 0)
    }

    /// A rule that the hub seems to break, and the scenario that must notice.
    struct Planted: Sendable, CustomTestStringConvertible {
        var scenario: String
        var mistake: String
        var change: FrameChange

        var testDescription: String { "\(scenario): \(mistake)" }

        /// Other bytes in frames of a type; places count from the frame's first byte.
        static func bytes(
            _ scenario: String,
            _ mistake: String,
            type: UInt8,
            _ edit: @escaping @Sendable (inout [UInt8]) -> Void
        ) -> Planted {
            Planted(scenario: scenario, mistake: mistake) { frame in
                var frame = frame
                if frame[0] == type { edit(&frame) }
                return frame
            }
        }
    }

    static let planted: [Planted] = [
        .bytes("unknown-hub", "another number", type: 0x07) { $0[9] = 0x02 },
        .bytes("forged-token", "an ERROR that is not fatal", type: 0x07) { $0[10] = 0 },
        .bytes("vector/hello-max-frame-below", "another limit", type: 0x07) { $0[19] ^= 1 },
        .bytes("pings", "another token", type: 0x04) { $0[8] ^= 1 },
        .bytes("capabilities", "bits that were not offered", type: 0x02) { $0[23] |= 0x02 },
        .bytes("keepalive-within-bounds", "a keepalive of its own", type: 0x02) { $0[89] ^= 1 },
        .bytes("welcome", "a key of no bytes", type: 0x02) { frame in
            guard frame[148] == 32 else { return }
            frame[148] = 0
            frame.removeSubrange(149..<181)
            frame[7] = UInt8(truncatingIfNeeded: frame.count - 8)
        },
        .bytes("etag", "an etag that does not stay", type: 0x13) {
            $0[23] = UInt8.random(in: 0 ... .max)
            $0[22] = UInt8.random(in: 0 ... .max)
        },
        .bytes("protected-tags", "FORBIDDEN as success", type: 0x13) {
            $0[8] = 0; $0[9] = 0
        },
        .bytes("deliver", "a broken chain", type: 0x20) { $0[15] &+= 1 },
        .bytes("redelivered", "no REDELIVERED", type: 0x20) { $0[30] &= 0xFE },
        .bytes("groups", "a slot of its own", type: 0x20) { $0[29] = 0 },
        .bytes("resumed", "FRESH in place of RESUMED", type: 0x02) { $0[9] = 0 },
        .bytes("reset", "RESUMED in place of RESET", type: 0x02) { $0[9] = $0[9] == 3 ? 1 : $0[9] },
        Planted(scenario: "logout-in-one-write", mistake: "no RESULT in front of BYE") { frame in
            frame[0] == 0x13 && frame[3] == 2 ? nil : frame
        },
        Planted(scenario: "rate-of-frames", mistake: "a close without ERROR") { frame in
            frame[0] == 0x07 ? nil : frame
        },
        Planted(scenario: "takeovers", mistake: "no word to the first") { frame in
            frame[0] == 0x07 ? nil : frame
        },
        .bytes("template/property", "another payload", type: 0x20) { $0[$0.count - 2] ^= 1 },
    ]

    @Test("a rule that is broken is noticed, and kept without the mistake", arguments: planted)
    func notices(_ planted: Planted) async throws {
        try await HostedHub.run { hub in
            let kept = try await KitRuns.findings(of: hub.connection, only: [planted.scenario])
            #expect(kept.map(\.verdict) == [.kept], "\(kept)")
            let broken = try await KitRuns.findings(
                of: hub.connection,
                only: [planted.scenario],
                change: planted.change
            )
            #expect(broken.count { $0.isBroken } == 1, "\(broken)")
        }
    }

    @Test("our hub keeps the rules that take their time, too")
    func slowRules() async throws {
        let slow = ["silence", "half-a-frame", "no-handshake", "idle", "not-acknowledged"]
        try await HostedHub.run { hub in
            let connection = hub.connection
            try await withThrowingTaskGroup(of: [Finding].self) { group in
                // All at once: each does nothing but wait.
                for scenario in slow {
                    group.addTask { try await KitRuns.findings(of: connection, only: [scenario]) }
                }
                for try await findings in group {
                    #expect(findings.map(\.verdict) == [.kept], "\(findings)")
                }
            }
        }
    }

    @Test("our hub keeps the rules of client certificates, until a device is revoked")
    func certificates() async throws {
        let phone = try KitCertificate(names: ["phone"])
        let folder = ScenarioFolder()
        try folder.write(phone.certificate, to: "authorities.pem")
        try await HostedHub.run { options in
            options.certificate.clientAuthoritiesFile = folder.file("authorities.pem")
        } _: { hub in
            let findings = try await KitRuns.findings(
                of: hub.connection,
                only: [
                    "client-certificate", "client-certificate-with-auth",
                    "client-certificate-unknown",
                ],
                certificate: phone.identity
            )
            #expect(findings.map(\.verdict) == [.kept, .kept, .kept], "\(findings)")
            let sender = try SenderClient(hub.connection)
            let id = try #require(KeyName.id(ofCertificate: phone.identity.chain))
            _ = try await sender.revoke(device: id.uuidText)
            await sender.close()
            let revoked = try await KitRuns.findings(
                of: hub.connection,
                only: ["client-certificate"],
                certificate: phone.identity
            )
            guard case .broken("WELCOME", let came)? = revoked.first?.verdict else {
                Issue.record("a revoked certificate is welcome: \(revoked)")
                return
            }
            // The number of DEVICE_REVOKED.
            #expect(came.contains("ERROR") && came.contains("0206"), "\(came)")
        }
    }

    @Test("a port that takes other protocols is noticed")
    func otherProtocols() async throws {
        try await HostedHub.run { hub in
            let findings = try await KitRuns.findings(
                of: hub.connection,
                only: ["alpn-other"],
                port: hub.connection.rest.port
            )
            #expect(findings.count { $0.isBroken } == 1, "\(findings)")
        }
    }

    @Test("each rule of the text is played, or told why not")
    func everyRule() throws {
        var hub = HubConformance()
        var client = ClientConformance()
        hub.protocolFolder = SourceTree.path("Protocol")
        client.protocolFolder = hub.protocolFolder
        let text = try ["README", "errors", "parcels", "templates"].map { name in
            try String(contentsOfFile: SourceTree.path("Protocol/\(name).md"), encoding: .utf8)
        }.joined()
        let labels = Set(text.matches(of: /\*\*\[([A-Z]-\d+)\]/).map { String($0.1) })
        #expect(labels.count > 90)
        #expect(try hub.rules().symmetricDifference(labels) == [])
        #expect(try client.rules().symmetricDifference(labels) == [])
    }
}
