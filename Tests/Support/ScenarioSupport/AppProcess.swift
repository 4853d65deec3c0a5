import AppBackend
import DeviceEmulator
import Foundation
import Testing

/// `belfry app --json` with its lines read.
final class AppProcess: Sendable {
    let program: Program
    /// Stays as long as the app may write into it.
    private let folder: ScenarioFolder

    /// Starts it with a backend; a user logs in with the password that `HostedBackend.add` gave.
    convenience init(
        _ folder: ScenarioFolder,
        _ backend: HostedBackend,
        user: String? = nil,
        _ arguments: [String] = []
    ) throws {
        try self.init(
            folder,
            ["--backend-data", backend.options.data] + (user.map { ["--user", $0] } ?? [])
                + arguments,
            password: user.map { "password of \($0)" }
        )
    }

    init(_ folder: ScenarioFolder, _ arguments: [String], password: String? = nil) throws {
        self.folder = folder
        program = try Program.belfry(
            ["app", "--json", "--folder", folder.file("phone")] + arguments,
            environment: password.map { ["BELFRY_APP_PASSWORD": $0] } ?? [:]
        )
    }

    var lines: [PhoneLine] { Self.read(program.output.events) }

    @discardableResult
    func until(
        _ expectation: String,
        _ isReached: @escaping @Sendable ([PhoneLine]) -> Bool
    ) async throws -> [PhoneLine] {
        Self.read(
            try await program.output.wait(for: expectation) { isReached(Self.read($0)) }
        )
    }

    /// Has it do something, and waits until that is done.
    func perform(_ command: PhoneCommand) async throws {
        let fault = try await fault(of: command)
        #expect(fault == nil, "\(command.action)")
    }

    /// Has it do something, and waits until that is done; what went wrong.
    func fault(of command: PhoneCommand) async throws -> String? {
        let before = lines.count { $0.event == .done }
        program.write(String(decoding: try JSONEncoder().encode(command), as: UTF8.self) + "\n")
        let after = try await until("an end of \(command.action)") { lines in
            lines.count { $0.event == .done } > before
        }
        return after.filter { $0.event == .done }[before].text
    }

    /// Ends it as the end of a script does.
    func end(code: Int32 = 0) async throws {
        program.closeInput()
        #expect(try await program.exitCode() == code, "\(program.errors.events)")
    }

    func kill() async throws {
        program.signal(SIGKILL)
        _ = try await program.exitCode()
    }

    private static func read(_ lines: [String]) -> [PhoneLine] {
        lines.compactMap { try? JSONDecoder().decode(PhoneLine.self, from: Data($0.utf8)) }
    }
}
