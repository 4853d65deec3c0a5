import Foundation
import HubTestSupport
import Testing

@testable import ScenarioSupport

/// What `Type=notify` of the service needs, heard on a socket as systemd hears it.
@Suite("The service manager")
struct ServiceManagerTests {
    /// Datagrams come out as JSON lines; a name that begins with `@` is an abstract one.
    private static let listener = """
        import json, socket, sys
        name = sys.argv[1]
        heard = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        heard.bind("\\0" + name[1:] if name[0] == "@" else name)
        print(json.dumps("bound"), flush=True)
        while True:
            print(json.dumps(heard.recv(4096).decode()), flush=True)
        """

    @Test("hears of the start, of turns and of the end", arguments: [false, true])
    func states(isAbstract: Bool) async throws {
        let folder = ScenarioFolder()
        let name = isAbstract ? "@belfry-\(UUID())" : folder.file("notify")
        let manager = try Program("/usr/bin/python3", ["-c", Self.listener, name])
        let heard = manager.output
        try await heard.wait(for: "a socket") { $0.contains { $0.contains("bound") } }

        let hub = try Program.belfry(
            ["serve", "--data", folder.file("data"), "--rest-port", "0", "--device-port", "0"],
            environment: ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "400000"]
        )
        let lines = try await heard.wait(for: "READY=1") { $0.contains { $0.contains("READY=1") } }
        #expect(lines.contains { $0.contains("READY=1\\nSTATUS=REST on port ") }, "\(lines)")
        try await heard.wait(for: "three turns") {
            $0.count { $0.contains("WATCHDOG=1") } >= 3
        }
        hub.signal(SIGTERM)
        #expect(try await hub.exitCode() == 0)
        try await heard.wait(for: "STOPPING=1") { $0.contains { $0.contains("STOPPING=1") } }
    }
}
