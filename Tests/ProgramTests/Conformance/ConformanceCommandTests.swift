import Foundation
import HubClient
import HubTestSupport
import Testing

@testable import ScenarioSupport

@Suite("belfry conformance --listen", .timeLimit(.minutes(5)))
struct ConformanceCommandTests {
    @Test("plays a hub, has the client woken, and exits by its findings", arguments: [false, true])
    func listens(insists: Bool) async throws {
        let folder = ScenarioFolder()
        let (certificate, woken) = (folder.file("kit.pem"), folder.file("woken"))
        let kit = try Program.belfry([
            "conformance", "--listen", "--certificate", certificate, "--name", "localhost",
            "--wake", "echo >> \(woken)", "--patience", "30", "--json",
            "--only", "first-hello", "--only", "stays-away-after-goaway", "--only",
            "error/TAKEN_OVER",
        ])
        let said = try await kit.errors.wait(for: "an address") { lines in
            lines.contains { $0.contains("connect your client to 127.0.0.1:") }
        }
        let line = try #require(said.first { $0.contains("127.0.0.1:") })
        let port = try #require(line.firstMatch(of: /127\.0\.0\.1:(\d+)/)).1
        #expect(FileManager.default.fileExists(atPath: certificate))
        let device = try KitRuns.device(try #require(UInt16(port)), certificate)
        let taking = KitRuns.taking(device, insists: insists)
        let waking = Task {
            var seen = 0
            while !Task.isCancelled {
                try await eventually("another wake", within: .seconds(120)) {
                    let text = try? Data(contentsOf: URL(fileURLWithPath: woken))
                    return (text?.count ?? 0) > seen
                }
                seen += 1
                device.reconnect()
            }
        }
        let code = try await kit.exitCode(seconds: 200)
        waking.cancel()
        await device.close()
        await taking.value
        let lines = kit.output.events
        #expect(code == (insists ? 1 : 0), "\(lines) \(kit.errors.events)")
        #expect(lines.contains { $0.contains("stays-away-after-goaway") }, "\(lines)")
        #expect(lines.contains { $0.contains("broken") } == insists, "\(lines)")
        if !insists { #expect(FileManager.default.fileExists(atPath: woken)) }
    }
}
