import DeviceEmulator
import Foundation

/// A phone of a guided run in a process of its own.
final class ChildPhone: Sendable {
    /// Whose phone it is, or which of several.
    let name: String
    /// The phone as it is spoken of.
    var label: String { name.contains("'") ? "\(name) phone" : "\(name)'s phone" }
    private let folder: String
    private let program: ChildProgram
    private let patience: Duration

    /// Starts the app of a platform; `place` is the hub's folder or the backend's.
    init(
        _ name: String,
        platform: String,
        place: [String],
        patience: Duration
    ) throws {
        self.name = name
        self.patience = patience
        folder =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("belfry-phone-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        program = try ChildProgram(
            ["app", "--json", "--trace", "--platform", platform, "--folder", folder] + place
        )
    }

    /// Everything that it has told.
    var lines: [PhoneLine] { Self.read(program.lines) }

    /// The notifications that have arrived.
    var pushes: [PhoneLine] { lines.filter { $0.event == .push } }

    /// What its user has seen, with what they could press.
    var shown: [String] {
        lines.filter { $0.event == .shown }.map { line in
            (line.text ?? "") + (line.buttons ?? []).map { " [\($0)]" }.joined()
        }
    }

    /// Tells it to do something and waits until that is done.
    /// - Throws: `Failure` with what it says, or when it does not answer.
    func perform(_ command: PhoneCommand) async throws {
        let before = lines.count { $0.event == .done }
        guard let json = try? JSONEncoder().encode(command) else { return }
        program.write(String(decoding: json, as: UTF8.self))
        // A command waits itself for several answers, each as long as its patience.
        let isDone = await program.wait(patience * 4) { lines in
            Self.read(lines).count { $0.event == .done } > before
        }
        guard isDone else { throw Failure("\(label) does not answer") }
        if let fault = lines.filter({ $0.event == .done })[before].text {
            throw Failure("\(label): \(fault)")
        }
    }

    /// Waits for lines; false when they do not come.
    func wait(until isReached: ([PhoneLine]) -> Bool) async -> Bool {
        await program.wait(patience) { isReached(Self.read($0)) }
    }

    /// Lets it leave in order, and forgets everything.
    func stop() {
        program.finish()
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func read(_ lines: [String]) -> [PhoneLine] {
        lines.compactMap { try? JSONDecoder().decode(PhoneLine.self, from: Data($0.utf8)) }
    }
}
