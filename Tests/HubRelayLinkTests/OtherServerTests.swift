import Foundation
import HubConformance
import HubRelay
import HubRelayLink
import HubTestSupport
import Testing

/// The carrier's own HTTP/2 beside a server that is not ours: nghttp2's.
@Suite("Relay to nghttp2's server")
struct OtherServerTests {
    static let program = "/usr/sbin/nghttpd"
    static let streams = 10

    @Test(
        "21: five hundred requests over ten streams are each answered, whatever the header table",
        .enabled(
            if: FileManager.default.isExecutableFile(atPath: OtherServerTests.program),
            "nghttpd is not installed; Debian has it in nghttp2-server"
        ),
        arguments: [0, 4_096]
    )
    func answers(tableBytes: Int) async throws {
        let folder = URL.temporaryDirectory.appending(path: "h2-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // Only a leftover of a test.
        let shown = try KitCertificate(names: ["api.push.apple.com"])
        let (key, chain) = (folder.appending(path: "key"), folder.appending(path: "chain"))
        try Data(shown.key.utf8).write(to: key)
        try Data(shown.certificate.utf8).write(to: chain)
        let port = Int.random(in: 20_000..<30_000)
        let server = Process()
        // With lines at once: it writes them into a pipe here.
        server.executableURL = URL(fileURLWithPath: "/usr/bin/stdbuf")
        server.arguments = [
            "-oL", Self.program, "-v", "--address=127.0.0.1", "-m", "\(Self.streams)",
            "--header-table-size=\(tableBytes)", "\(port)", key.path, chain.path,
        ]
        let output = Pipe()
        server.standardOutput = output
        server.standardError = FileHandle.nullDevice
        try server.run()
        // It may have inherited a mask that holds back other signals.
        defer { kill(server.processIdentifier, SIGKILL) }
        // It says where it listens.
        let handle = output.fileHandleForReading
        _ = try handle.next()
        // A full pipe would stop it.
        handle.hear { _ in }
        var options = CarrierOptions()
        options.trust = .file(chain.path)
        options.places["api.push.apple.com"] = CarrierOptions.Place(
            address: "127.0.0.1",
            port: port
        )
        let sender = try AppleSender(options)
        let results = await sender.sendAll(0..<500)
        // It has no file of that name, and takes no POST.
        #expect(AppleCarrierTests.ends(results) == ["404": 500])
    }
}
