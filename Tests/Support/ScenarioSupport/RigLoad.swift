import Foundation
import HubClient
import HubSender
import HubTestSupport
import NIOHTTP1

/// Senders and devices, each a process of its own, that find their hub in a folder.
final class RigLoad {
    private var senders: [Program] = []
    private var devices: [(KillJournal.Device, Program)] = []
    private let states = ScenarioFolder()
    /// Between two attempts of one of the four threads that send.
    private static let restSeconds = 0.5

    /// Starts everything and waits until every device is subscribed; `folder` has `connection.json`.
    init(seed: UInt64, folder: String) async throws {
        for device in KillJournal.Device.all {
            let program = try Program.belfry(
                ["device", "--data", folder, "--json"] + device.arguments
                    + (device.keepsState ? ["--state", states.file(device.name)] : [])
            )
            devices.append((device, program))
        }
        for (device, program) in devices {
            try await program.output.wait(for: "\(device.name) subscribed", times: 1) {
                $0.contains(#""event":"registered""#)
            }
        }
        for (number, name) in ["a", "b"].enumerated() {
            let program = try Program.named(
                "python3",
                [
                    SourceTree.path("Tests/Outside/Rigs/sender.py"),
                    folder + "/connection.json",
                    name, "\(seed % 1_000_000 + UInt64(number))", "2",
                ]
            )
            senders.append(program)
        }
    }

    /// Has every device come back at once.
    func reconnect() {
        for (_, program) in devices { program.signal(SIGHUP) }
    }

    /// Waits for some more answers, and for a delivery with `delivers`; the senders send as fast as
    /// they can, until they rest.
    func work(answers: Int, delivers: Bool) async throws {
        for sender in senders { sender.write("0\n") }
        let known = senders[0].output.events.count
        try await senders[0].output.wait(for: "answers", times: answers, behind: known) {
            $0.contains(#""status": 201"#)
        }
        if delivers {
            // Both tags and everybody: something comes for it soon.
            let received = devices[1].1.output.events.count
            try await devices[1].1.output.wait(for: "a delivery", times: 1, behind: received) {
                $0.contains(#""event":"notification""#)
            }
        }
    }

    /// Has the senders send now and then alone while others change places, unless it is a campaign.
    func rest() {
        guard !Rig.isCampaign else { return }
        for sender in senders { sender.write("\(Self.restSeconds)\n") }
    }

    /// Lets the senders end, waits until every device has as many as it should, and one more that
    /// is sent last; then everything that came before it has come.
    func finish(_ connection: ConnectionFile) async throws -> KillJournal {
        for sender in senders { sender.signal(SIGTERM) }
        for sender in senders {
            let code = try await sender.exitCode()
            guard code == 0 else { throw Failed(reason: "\(sender.errors.events)") }
        }
        let sent = try journal()
        for (account, (_, program)) in zip(sent.accounts, devices) {
            let count = account.expected.count
            // What is missing then is in the table.
            _ = try? await program.output.wait(for: "\(count)", seconds: 60, times: count) {
                $0.contains(#""event":"notification""#)
            }
        }
        try await sendLast(connection)
        for (device, program) in devices {
            try await program.output.wait(for: "the last one at \(device.name)", times: 1) {
                $0.contains("[end]")
            }
        }
        return try journal()
    }

    private func sendLast(_ connection: ConnectionFile) async throws {
        let sender = try SenderClient(connection)
        let all: [OutgoingNotification] = [
            .native(.apple, body: Array(#"{"aps":{"alert":"[end]"}}"#.utf8), tags: nil),
            .native(.gcm, body: Array(#"{"data":{"m":"[end]"}}"#.utf8), tags: "Sports"),
            .template(json: Array(#"{"m":"[end]"}"#.utf8), tags: "World || Sports"),
        ]
        for notification in all { _ = try await sender.send(notification) }
        await sender.close()
    }

    private func journal() throws -> KillJournal {
        try KillJournal(
            senders: senders.map(\.output.events),
            devices: devices.map { ($0.0, $0.1.output.events) }
        )
    }

    /// Asks the hub what became of each notification until it says that everybody acknowledged it;
    /// what it says otherwise in the end.
    func acknowledgements(
        _ journal: KillJournal,
        sampled most: Int,
        _ connection: ConnectionFile
    ) async throws -> (checked: Int, faults: [String]) {
        let caller = try RESTCaller(connection)
        let token = try caller.token(connection.connectionStrings.full)
        let keys = journal.accepted.keys.filter { !$0.hasSuffix(".scheduled") }.sorted()
        let step = max(1, keys.count / most)
        let chosen = stride(from: 0, to: keys.count, by: step).map { keys[$0] }
        let deadline = ContinuousClock.now + .seconds(60)
        var faults: [String] = []
        for key in chosen {
            let expected = journal.audience(of: key)
            var found = -1
            do {
                let left = ContinuousClock.now.duration(to: deadline)
                try await eventually("\(expected) acknowledged", within: left) {
                    let answer = try await caller.perform(
                        .GET,
                        "\(connection.hub)/$belfry/telemetry",
                        query: "&notification=\(journal.accepted[key] ?? "")",
                        authorization: token
                    )
                    found = Self.acknowledged(answer.text)
                    return found >= expected
                }
            } catch is Overdue {}
            if found != expected {
                faults.append("\(key): \(found) of \(expected) acknowledged")
            }
        }
        await caller.close()
        return (chosen.count, faults)
    }

    private struct Telemetry: Decodable {
        var platforms: [String: [String: Int]]
    }

    private static func acknowledged(_ text: String) -> Int {
        let found = try? JSONDecoder().decode(Telemetry.self, from: Data(text.utf8))
        return found?.platforms.values.reduce(0) { $0 + ($1["acknowledged"] ?? 0) } ?? -1
    }

    /// Ends the devices in order.
    func end() async throws {
        for (_, program) in devices { program.signal(SIGTERM) }
        for (_, program) in devices { _ = try await program.exitCode() }
    }

    /// A process of the rig did not do what it should.
    struct Failed: Error, CustomStringConvertible {
        var reason: String
        var description: String { reason }
    }
}
