import Foundation

/// A phone of a guided run in a process of its own.
final class ChildPhone: Sendable {
    /// The name of its user, or of one of several phones.
    let name: String
    /// The phone as it is spoken of.
    var label: String { name.contains("'") ? "\(name) phone" : "\(name)'s phone" }
    private let folder: String
    private let program: ChildProgram
    private let patience: Duration

    /// Starts the app of a platform; `place` is the hub's folder or the backend's.
    /// - Throws: `.notStarted`.
    init(
        _ launcher: Launcher,
        _ name: String,
        platform: String,
        place: [String],
        patience: Duration
    ) throws(ChildFault) {
        self.name = name
        self.patience = patience
        // The app makes it, for its user alone.
        folder =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("belfry-phone-\(UUID().uuidString)").path
        program = try ChildProgram(
            launcher,
            ["app", "--json", "--trace", "--platform", platform, "--folder", folder] + place
        )
    }

    /// Everything that it has told.
    var lines: [PhoneLine] { Self.read(program.lines) }

    /// The notifications that have arrived.
    var pushes: [PhoneLine.Push] { lines.compactMap(\.push) }

    /// The texts that its user has seen, with the buttons that they could press.
    var shown: [String] {
        lines.compactMap(\.shown).map { line in
            line.item.text + (line.buttons ?? []).map { " [\($0)]" }.joined()
        }
    }

    /// Tells it to do something and waits until that is done.
    /// - Throws: `.refused` with what it says; `.unanswered`.
    func perform(_ command: PhoneCommand) async throws(ChildFault) {
        let before = lines.count { $0.event == .done }
        program.write(Self.text(command))
        // A command waits itself for several answers, each as long as its patience.
        let isDone = await wait(patience * 4) { lines in
            lines.count { $0.event == .done } > before
        }
        guard isDone else { throw .unanswered(phone: label) }
        if let fault = lines.filter({ $0.event == .done })[before].text {
            throw .refused(what: label, reason: fault)
        }
    }

    /// Waits for lines; false when they do not come.
    func wait(until isReached: @escaping @Sendable ([PhoneLine]) -> Bool) async -> Bool {
        await wait(patience, until: isReached)
    }

    private func wait(
        _ patience: Duration,
        until isReached: @escaping @Sendable ([PhoneLine]) -> Bool
    ) async -> Bool {
        await program.wait(patience) { isReached(Self.read($0)) }
    }

    /// Lets it leave in order, and forgets everything.
    func stop() {
        program.finish()
        // Files that stay lie in the system's temporary folder, which it empties itself.
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func text(_ command: PhoneCommand) -> String {
        // JSON refuses only numbers that are not finite, and a command has no floating point.
        guard let data = try? JSONEncoder().encode(command) else {
            preconditionFailure("a command holds only what JSON can hold")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// The lines that are JSON; an app says other things only when it cannot go on.
    private static func read(_ lines: [String]) -> [PhoneLine] {
        // A line without JSON is one of these, and no event of the run.
        lines.compactMap { try? JSONDecoder().decode(PhoneLine.self, from: Data($0.utf8)) }
    }
}
