import Foundation
import Testing

@testable import ScenarioSupport

/// Keys of hubs and sessions are in the memory of `belfry serve`.
@Suite("The memory of a hub")
struct CoreDumpTests {
    /// Root loses what would let it look into every process.
    private static let plainUser =
        geteuid() == 0
        ? ["/usr/bin/setpriv", "--bounding-set=-sys_ptrace", "--inh-caps=-sys_ptrace"]
        : ["/usr/bin/env"]

    private static func started(
        _ command: [String],
        environment: [String: String] = [:]
    ) throws -> Program {
        let all = plainUser + command
        return try Program(all[0], Array(all.dropFirst()), environment: environment)
    }

    @Test(
        "is closed to core dumps and to its user's other processes, but where a setting opens it",
        arguments: [false, true]
    )
    func dumps(areAllowed: Bool) async throws {
        let folder = ScenarioFolder()
        let hub = try Self.started(
            [
                try Program.belfryPath, "serve", "--data", folder.path, "--rest-port", "0",
                "--device-port", "0", "--until-stdin-closes",
            ],
            environment: areAllowed ? ["BELFRY_CORE_DUMPS": "true"] : [:]
        )
        try await hub.output.wait(for: "a hub that listens") { lines in
            lines.contains { $0.hasPrefix("belfry: REST on ") }
        }
        // The kernel follows this link for those who may read the memory, and both need a process
        // that may be dumped.
        let look = try Self.started(["/usr/bin/readlink", "/proc/\(hub.pid)/exe"])
        #expect(try await look.exitCode() == (areAllowed ? 0 : 1))
        #expect(look.output.events == (areAllowed ? [try Program.belfryPath] : []))
        hub.signal(SIGTERM)
        #expect(try await hub.exitCode() == 0)
    }

    @Test("leaves no core dump under the service manager")
    func unit() throws {
        let path = SourceTree.path("Sources/belfry.service")
        let unit = try String(contentsOfFile: path, encoding: .utf8)
        #expect(unit.contains("\nLimitCORE=0\n"))
    }
}
