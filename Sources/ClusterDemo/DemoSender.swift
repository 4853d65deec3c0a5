import DeviceEmulator
import HubClient
import HubSender

/// Sends one notification after the other, at whichever node takes it, until it is told to end.
///
/// It repeats each send without an answer, with the same key, at the next node.
final class DemoSender: Sendable {
    /// The answers so far.
    struct Told: Sendable {
        /// When each notification was answered, by its number from 1.
        var answers: [ContinuousClock.Instant] = []
        /// Attempts without an answer, or with one that invites another.
        var repeats = 0
        /// Why it ended by itself.
        var fault: String?

        /// The longest time without an answer since an instant.
        func pause(since start: ContinuousClock.Instant) -> Duration {
            var (longest, last) = (Duration.zero, start)
            for answer in answers where answer > start {
                longest = max(longest, answer - last)
                last = answer
            }
            return longest
        }
    }

    /// Of notifications one after the other; nil is everyone.
    private static let tags: [String?] = ["News", "Sports", nil]

    private let clients: [SenderClient]
    private let told = Awaited(Told())
    private let isEnding = Awaited(false)

    /// Makes one that knows each node.
    init(_ connection: ConnectionFile) throws {
        var known = try ConnectionString(parsing: connection.connectionStrings.full)
        var clients: [SenderClient] = []
        for host in DemoNode.hosts {
            known.host = host
            clients.append(try SenderClient(known, hub: connection.hub, caPath: connection.ca))
        }
        self.clients = clients
    }

    /// Which of the first `count` notifications a device with these tags gets.
    static func numbers(upTo count: Int, for device: [String]) -> [Int] {
        guard count > 0 else { return [] }
        return (1...count).filter { number in
            tags[number % tags.count].map { device.contains($0) } ?? true
        }
    }

    /// The answers so far.
    var state: Told { told.value }

    /// Sends until `end`.
    func run() async {
        var (number, node) = (0, 0)
        while !isEnding.value {
            number += 1
            let notification = OutgoingNotification.template(
                ["n": "\(number)"],
                tags: Self.tags[number % Self.tags.count]
            )
            while true {
                do throws(SenderError) {
                    _ = try await clients[node].send(notification)
                    break
                } catch {
                    guard error.invitesRepeat else {
                        told.change { $0.fault = "\(error)" }
                        return
                    }
                    told.change { $0.repeats += 1 }
                    node = (node + 1) % clients.count
                    await isEnding.wait(upTo: .milliseconds(50)) { _ in false }
                }
            }
            told.change { $0.answers.append(.now) }
            await isEnding.wait(upTo: .milliseconds(20)) { $0 }
        }
    }

    /// Waits for some more answers; false when they do not come.
    func answers(more count: Int, within limit: Duration) async -> Bool {
        let wanted = told.value.answers.count + count
        let isOver = await told.wait(upTo: limit) { $0.answers.count >= wanted || $0.fault != nil }
        return isOver && told.value.fault == nil
    }

    /// Has it end behind the notification that it is sending.
    func end() { isEnding.change { $0 = true } }

    /// Closes its connections.
    func close() async { for client in clients { await client.close() } }
}
