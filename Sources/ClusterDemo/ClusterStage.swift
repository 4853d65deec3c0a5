import DeviceEmulator

/// Who takes part in a run, and what is told of it.
final class ClusterStage {
    var result = GuidedResult(scenario: "cluster")
    var servers: [DemoPostgres] = []
    var nodes: [DemoNode] = []
    var devices: DemoDevices?
    var sender: DemoSender?
    let write: (String) -> Void
    private let hasColours: Bool
    private var step = 0

    init(hasColours: Bool, write: @escaping (String) -> Void) {
        self.hasColours = hasColours
        self.write = write
    }

    /// Begins a step.
    func say(_ text: String) {
        step += 1
        write("\(step == 1 ? "" : "\n")\(step). \(text)")
    }

    /// Says whether something holds that must.
    func check(_ text: String, _ holds: Bool) {
        result.checks.append(GuidedResult.Check(text: text, holds: holds))
        let word = holds ? (hasColours ? "\u{1B}[32mok   \u{1B}[0m" : "ok   ") : "WRONG"
        write("   \(word) \(text)")
    }

    /// The first of some nodes that takes the lead; nil when none does.
    static func first(of nodes: [DemoNode]) async -> DemoNode? {
        let leads = Awaited<Int?>(nil)
        let tasks = nodes.indices.map { index in
            let node = nodes[index].leadWait
            return Task { if await node() { leads.change { $0 = $0 ?? index } } }
        }
        await leads.wait(upTo: .seconds(60)) { $0 != nil }
        for task in tasks { task.cancel() }
        return leads.value.map { nodes[$0] }
    }

    /// Texts in columns, numbers to the right.
    static func row(_ columns: [(text: String, width: Int)]) -> String {
        columns.enumerated().map { index, column in
            let space = String(repeating: " ", count: max(0, column.width - column.text.count))
            return index < 2 ? column.text + space : space + column.text
        }.joined(separator: "  ")
    }

    /// Ends all processes, those first that others need last.
    func close() async {
        devices?.stop()
        await sender?.close()
        for node in nodes { node.stop() }
        for server in servers.reversed() { server.stop() }
    }
}
