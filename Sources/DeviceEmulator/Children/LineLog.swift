/// Lines as they come; tasks wait for what they expect of them.
final class LineLog: Sendable {
    private struct State {
        var lines: [String] = []
        var isOver = false
    }

    private let state = Awaited(State())

    /// All lines so far.
    var lines: [String] { state.value.lines }

    /// Adds a line, and lets those go on who waited for it.
    func append(_ line: String) { state.change { $0.lines.append(line) } }

    /// No more lines come.
    func finish() { state.change { $0.isOver = true } }

    /// Waits until the lines satisfy a condition; false when they end, patience does, or the task
    /// is cancelled first.
    func wait(
        _ patience: Duration,
        until isReached: @escaping @Sendable ([String]) -> Bool
    ) async -> Bool {
        let hasEnded = await state.wait(upTo: patience) { $0.isOver || isReached($0.lines) }
        return hasEnded && isReached(lines)
    }
}
