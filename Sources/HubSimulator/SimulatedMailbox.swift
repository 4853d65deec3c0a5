import HubDelivery
import HubModel

/// The bounded queue in front of a simulated shard.
final class SimulatedMailbox: MailRoom {
    private let capacity: Int
    private var mail: [ShardMail<Never>] = []
    /// Feed items that it ever took.
    private(set) var feedItems = 0
    /// How often there was no room.
    private(set) var refusals = 0

    init(capacity: Int) { self.capacity = capacity }

    var isEmpty: Bool { mail.isEmpty }
    var isFull: Bool { mail.count >= capacity }

    func take(_ letter: ShardMail<Never>) -> Bool {
        guard !isFull else {
            refusals += 1
            return false
        }
        mail.append(letter)
        if case .hub(_, let message) = letter, case .feed = message { feedItems += 1 }
        return true
    }

    func drain() -> [ShardMail<Never>] {
        defer { mail = [] }
        return mail
    }
}
