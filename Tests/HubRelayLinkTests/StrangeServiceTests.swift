import Foundation
import HubConformance
import HubRelayLink
import NIOCore
import Testing

/// Case 109 of the relays' reference: frames.
@Suite("Relay to a service that speaks strangely")
struct StrangeServiceTests {
    @Test(
        "109: whatever frames come, each request ends, and a carrier goes on",
        arguments: 0..<16 as Range<UInt64>
    )
    func frames(seed: UInt64) async throws {
        let folder = URL.temporaryDirectory.appending(path: "odd-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // Only a leftover of a test.
        let shown = try KitCertificate(names: ["api.push.apple.com"])
        let chain = folder.appending(path: "chain")
        try Data(shown.certificate.utf8).write(to: chain)
        let server = try await StrangeService.start(shown, seed: seed)
        var options = CarrierOptions()
        options.trust = .file(chain.path)
        options.times.restLeast = .milliseconds(10)
        options.times.restMost = .milliseconds(20)
        options.places["api.push.apple.com"] = CarrierOptions.Place(
            address: "127.0.0.1",
            port: server.localAddress?.port ?? 0
        )
        let sender = try AppleSender(options)
        var failures = 0
        for _ in 0..<8 {
            // A request that never ended would hang here.
            let results = await sender.sendAll(0..<10, within: .milliseconds(500))
            #expect(results.count == 10)
            for case .failure in results.values { failures += 1 }
        }
        #expect(failures > 0, "nothing strange came; seed \(seed)")
        try await server.close()
    }
}
