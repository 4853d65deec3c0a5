import CFaultyDisk
import Foundation
import Glibc
import HubClient
import HubServer
import HubTestSupport
import NIOHTTP1
import Testing

@testable import ScenarioSupport

@Suite("A hub whose disk takes nothing more", .timeLimit(.minutes(5)))
struct FullDiskTests {
    @Test("refuses with 507 while a small file system is full, and goes on when it is not")
    func smallFileSystem() async throws {
        let folder = ScenarioFolder()
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

    @Test(
        "leaves the lead to a node that is level when its copy of a database cannot be written",
        .enabled(if: TemporaryPostgres.isInstalled)
    )
    func yieldsLead() async throws {
        let (first, second, connection) = try await ServedNode.pair()
        let caller = try RESTCaller(connection)
        #expect(try await caller.sendNews("1").status == 201)
        try await eventually("copies that are level") {
            try await first.clusterStatus().contains { line in
                line.hasPrefix("standby") && line.contains("level, warm")
            }
        }
        try await Self.limit("0", of: first.program)
        // The database has it, and the copy has not: nothing more is taken here.
        #expect(try await caller.sendNews("2").status == 201)
        let next = try await second.leads()
        #expect(try await first.program.exitCode() == 1)
        let told = first.program.errors.events
        #expect(told.contains { $0.contains("the lead goes to a node that is level") }, "\(told)")
        #expect(told.contains { $0.contains("cannot be written: make room") }, "\(told)")
        let again = try RESTCaller(next)
        #expect(try await again.sendNews("3").status == 201)
        await caller.close()
        await again.close()
        #expect(try await second.terminate() == 0)
    }

    /// Lets a process write so many bytes into a file.
    private static func limit(_ bytes: String, of process: Program) async throws {
        let arguments = ["--pid", "\(process.pid)", "--fsize=\(bytes):"]
        let program = try Program.named("prlimit", arguments)
        try #require(try await program.exitCode() == 0, "\(program.errors.events)")
    }

    private static func failWrites(_ arguments: [String]) async throws {
        var hub = try await RunningHub.startRestartable(arguments)
        let process = hub.program
        let trouble = DiskTrouble(
            connection: hub.connection,
            status: 503,
            reason: "disk I/O error",
            begin: { try await Self.limit("0", of: process) },
            end: { try await Self.limit("unlimited", of: process) }
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
