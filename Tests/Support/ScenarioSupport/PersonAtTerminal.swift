import Foundation
import Testing

/// A person who presses keys and looks, through `Tests/Outside/Interop/app_screen.py`.
final class PersonAtTerminal: Sendable {
    private struct Answer: Decodable {
        var seen: Bool?
        var screen: [String]?
        var exit: Int32?
        var restored: Bool?
        var unknown: [String]?
        var bells: Int?
    }

    private struct NotSeen: Error, CustomStringConvertible { var description: String }

    private let program: Program

    /// Starts `belfry` on a terminal.
    convenience init(_ arguments: [String]) throws {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let belfry = URL(fileURLWithPath: tests).deletingLastPathComponent()
            .appendingPathComponent("belfry").path
        try self.init(command: [belfry] + arguments)
    }

    /// Starts a command on a terminal of 80 columns and 24 rows.
    init(command: [String]) throws {
        program = try Program.named(
            "python3",
            [SourceTree.path("Tests/Outside/Interop/app_screen.py"), "80", "24"] + command
        )
    }

    func press(_ keys: String) async throws { _ = try await ask(["press": keys]) }

    func see(_ text: String) async throws { try await look("see", text) }

    func gone(_ text: String) async throws { try await look("gone", text) }

    func resize(_ columns: Int, _ rows: Int) async throws {
        _ = try await ask(["resize": [columns, rows]])
    }

    func screen() async throws -> [String] { try await ask(["see": ""]).screen ?? [] }

    func signal(_ number: Int32) async throws { _ = try await ask(["signal": number]) }

    /// Fails unless it ends well, has rung as often as expected and leaves the terminal as it was.
    func expectEnd(
        bells: Int? = nil,
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let end = try await ask(["end": 60])
        if let bells { #expect(end.bells ?? 0 >= bells, "\(end)", sourceLocation: location) }
        #expect(end.exit == 0, "\(end)", sourceLocation: location)
        #expect(end.restored == true, "\(end)", sourceLocation: location)
        #expect(end.unknown == [], "\(end)", sourceLocation: location)
        program.closeInput()
        _ = try await program.exitCode()
    }

    private func look(_ step: String, _ text: String) async throws {
        let answer = try await ask([step: text])
        guard answer.seen == true else {
            let screen = (answer.screen ?? []).joined(separator: "\n")
            throw NotSeen(description: "\(step) '\(text)' on\n\(screen)\n\(program.errors.events)")
        }
    }

    private func write(_ step: [String: Any]) {
        // Texts and numbers are JSON.
        guard let data = try? JSONSerialization.data(withJSONObject: step) else { return }
        program.write(String(decoding: data, as: UTF8.self) + "\n")
    }

    private func ask(_ step: [String: Any]) async throws -> Answer {
        let before = program.output.events.count
        write(step)
        let lines = try await program.output.wait(for: "an answer to \(step)") {
            $0.count > before
        }
        return try JSONDecoder().decode(Answer.self, from: Data(lines[before].utf8))
    }
}
