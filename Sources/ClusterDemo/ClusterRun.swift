package import DeviceEmulator
import HubClient

/// Three nodes on PostgreSQL with a synchronous standby, six devices and a sender without an end:
/// the node that leads is killed, then PostgreSQL's primary.
package struct ClusterRun: Sendable {
    private let launcher: Launcher
    private let hasColours: Bool

    /// For so long anything may take.
    private static let patience: Duration = .seconds(60)
    /// Notifications between two events.
    private static let between = 100

    /// A run of the program at `launcher`.
    package init(_ launcher: Launcher, hasColours: Bool) {
        self.launcher = launcher
        self.hasColours = hasColours
    }

    /// Plays it to the end, or to what stops it.
    ///
    /// - Parameter write: told what happens, line by line.
    /// - Returns: what held; look at `isGood`.
    package func play(_ write: @escaping (String) -> Void) async -> GuidedResult {
        let stage = ClusterStage(hasColours: hasColours, write: write)
        do {
            try await play(on: stage)
        } catch {
            stage.result.fault = "\(error)"
        }
        await stage.close()
        return stage.result
    }

    private func play(on stage: ClusterStage) async throws {
        try await begin(stage)
        guard let devices = stage.devices, let sender = stage.sender else { return }
        async let sending: Void = sender.run()
        do {
            try await proceed(stage, devices, sender)
        } catch {
            sender.end()
            await sending
            throw error
        }
        stage.say("The sender ends")
        sender.end()
        await sending
        await judge(stage, devices, sender)
    }

    private func begin(_ stage: ClusterStage) async throws {
        stage.say("PostgreSQL starts: a primary and a synchronous standby")
        let primary = try await DemoPostgres(launcher)
        stage.servers = [primary]
        let standby = try await DemoPostgres(launcher, standbyOf: primary)
        stage.servers.append(standby)
        try await primary.requireStandby()
        stage.say("Three nodes start, on \(DemoNode.hosts.joined(separator: ", "))")
        let url = DemoPostgres.url(primary, standby)
        // Below those that the system gives away.
        let port = Int.random(in: 5_000..<16_000) * 2
        for host in DemoNode.hosts {
            let node = try DemoNode(
                launcher,
                at: host,
                port: port,
                database: url,
                like: stage.nodes.first
            )
            stage.nodes.append(node)
            let leads = try await node.begins()
            stage.check("\(host) \(leads ? "leads" : "waits")", leads == (stage.nodes.count == 1))
        }
        let connection = try stage.nodes[0].connection()
        stage.say("Six devices subscribe, and a sender begins")
        let devices = try DemoDevices(connection)
        stage.devices = devices
        stage.check("each is subscribed", await devices.areSubscribed(within: Self.patience))
        stage.sender = try DemoSender(connection)
    }

    private func proceed(
        _ stage: ClusterStage,
        _ devices: DemoDevices,
        _ sender: DemoSender
    ) async throws {
        stage.check("its sends are answered", await go(on: sender))
        stage.say("The node that leads is killed")
        let killed = stage.nodes[0]
        let others = Array(stage.nodes.dropFirst())
        try await expectPause(stage, devices, sender) {
            killed.kill()
            let start = ContinuousClock.now
            guard let next = await ClusterStage.first(of: others) else { return }
            stage.check("\(next.host) leads after \(Self.text(.now - start))", true)
        }
        stage.say("It starts again")
        try killed.startAgain()
        stage.check("\(killed.host) waits", try await !killed.begins())
        stage.say("PostgreSQL's primary is killed, and its standby promoted")
        let (primary, standby) = (stage.servers[0], stage.servers[1])
        try await expectPause(stage, devices, sender) {
            primary.kill()
            try await standby.promote()
        }
        stage.say("The server that was killed becomes the standby")
        try await primary.follow(standby)
        try await standby.requireStandby()
        stage.check("commits wait for it", await go(on: sender))
    }

    private func go(on sender: DemoSender) async -> Bool {
        await sender.answers(more: Self.between, within: Self.patience)
    }

    /// Lets something happen, and tells for how long sends were not answered, and until devices had
    /// everything.
    private func expectPause(
        _ stage: ClusterStage,
        _ devices: DemoDevices,
        _ sender: DemoSender,
        _ event: () async throws -> Void
    ) async throws {
        let start = ContinuousClock.now
        try await event()
        // One may have been answered before.
        let isAnswered = await sender.answers(more: 2, within: Self.patience)
        let pause = sender.state.pause(since: start)
        stage.check("sends are answered again, after \(Self.text(pause))", isAnswered)
        let haveAll = await devices.haveAll(
            of: sender.state.answers.count,
            within: Self.patience
        )
        stage.check("each device has all of them, after \(Self.text(.now - start))", haveAll)
        _ = await go(on: sender)
    }

    private func judge(
        _ stage: ClusterStage,
        _ devices: DemoDevices,
        _ sender: DemoSender
    ) async {
        let state = sender.state
        let count = state.answers.count
        stage.check("no send was refused for good", state.fault == nil)
        _ = await devices.haveAll(of: count, within: Self.patience)
        stage.write("")
        stage.write("\(count) notifications were answered with 201.")
        stage.write("\(state.repeats) attempts were repeated with their key.")
        stage.write("device  tags           expected  received  lost  twice  out of order")
        var isExact = true
        for (number, (account, tags)) in zip(devices.all, DemoDevices.tags).enumerated() {
            let expected = DemoSender.numbers(upTo: count, for: tags)
            let received = account.received
            let lost = Set(expected).subtracting(received).count
            let twice = received.count - Set(received).count
            let disordered = zip(received, received.dropFirst()).count { $0 >= $1 }
            isExact = isExact && received == expected && account.faults.isEmpty
            let columns = [
                ("\(number + 1)", 6), (tags.joined(separator: ", "), 13), ("\(expected.count)", 8),
                ("\(received.count)", 8), ("\(lost)", 4), ("\(twice)", 5), ("\(disordered)", 12),
            ]
            stage.write(ClusterStage.row(columns))
            for fault in account.faults { stage.write("  \(fault)") }
        }
        stage.check("each device got what it should, once and in order", isExact)
    }

    private static func text(_ duration: Duration) -> String {
        let tenths = Int(duration / .milliseconds(100))
        return "\(tenths / 10).\(tenths % 10) s"
    }
}
