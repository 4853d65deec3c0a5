import CFaultyDisk
import Foundation
import Glibc
import HubClient
import HubServer
import HubTestSupport
import NIOHTTP1
import Testing

@Suite("A hub whose disk takes nothing more", .timeLimit(.minutes(5)))
struct FullDiskTests {
    @Test("refuses with 507 while a small file system is full, and goes on when it is not")
    func smallFileSystem() async throws {
        let folder = TemporaryFolder()
        let mount = try Program.named(
            "mount",
            ["-t", "tmpfs", "-o", "size=24m,mode=700", "tmpfs", folder.path]
        )
        guard try await mount.exitCode() == 0 else {
            print("skipped: nothing can be mounted here: \(mount.errors.events)")
            return
        }
        do {
            var hub = try await RunningHub.startRestartable(in: folder)
            let filler = folder.file("filler")
            let trouble = DiskTrouble(
                connection: hub.connection,
                status: 507,
                reason: "no space is left",
                begin: { try DiskTrouble.fill(filler) },
                end: { try FileManager.default.removeItem(atPath: filler) }
            )
            let phone = try await trouble.run()
            try await hub.kill()
            hub = try await hub.startedAgain()
            try await trouble.check(phone, afterRestart: true)
            _ = try await hub.terminate()
        } catch {
            _ = try await Program.named("umount", ["-l", folder.path]).exitCode()
            throw error
        }
        #expect(try await Program.named("umount", ["-l", folder.path]).exitCode() == 0)
    }

    @Test("refuses with 503 while every write fails, and goes on when they succeed")
    func failingWrites() async throws { try await Self.failWrites([]) }

    @Test(
        "refuses with 503 while the copy of a database cannot be written, and catches up by itself",
        .enabled(if: TemporaryPostgres.isInstalled)
    )
    func copyOfDatabase() async throws {
        let url = try TemporaryPostgres.shared.get().newDatabase()
        try await Self.failWrites(["--database", url])
    }

    private static func failWrites(_ arguments: [String]) async throws {
        var hub = try await RunningHub.startRestartable(arguments)
        let process = "\(hub.program.pid)"
        @Sendable func limit(_ bytes: String) async throws {
            let program = try Program.named("prlimit", ["--pid", process, "--fsize=\(bytes):"])
            try #require(try await program.exitCode() == 0, "\(program.errors.events)")
        }
        let trouble = DiskTrouble(
            connection: hub.connection,
            status: 503,
            reason: "disk I/O error",
            begin: { try await limit("0") },
            end: { try await limit("unlimited") }
        )
        let phone = try await trouble.run()
        try await hub.kill()
        hub = try await hub.startedAgain()
        try await trouble.check(phone, afterRestart: true)
        #expect(try await hub.terminate() == 0)
    }

    @Test("refuses with 507 where the system says that no space is left, without being root")
    func noSpace() async throws {
        try await HostedHub.run { hub in
            let path = hub.folder.path
            let trouble = DiskTrouble(
                connection: hub.connection,
                status: 507,
                reason: "no space is left",
                // The path lives as long as the call.
                begin: { unsafe write_fault_arm(path, ENOSPC) },
                end: { unsafe write_fault_arm(path, 0) }
            )
            let phone = try await trouble.run()
            try await trouble.check(phone, afterRestart: false)
        }
    }
}
