import HubClient
import Synchronization

/// Who has received what of a backlog; finds what is lost, doubled, misrouted or out of order.
final class StormLedger: Sendable {
    /// Whom a notification is for.
    enum Audience: Equatable, Sendable {
        case everybody
        case group(Int)
        case nobody
    }

    /// The counts so far.
    struct Sums: Equatable, Sendable {
        var delivered = 0
        var duplicated = 0
        var misrouted = 0
        var outOfOrder = 0
    }

    private struct Books {
        var audiences: [Audience] = []
        var numbers: [NotificationIdentifier: Int] = [:]
        /// One bit for each notification, by device.
        var received: [[UInt64]]
        var places: [UInt64]
        var sums = Sums()
        /// Received before it was known who it is for: a device may be faster than the answer.
        var early: [NotificationIdentifier: [(device: Int, sequence: UInt64)]] = [:]
    }

    private let devices: Int
    private let groups: Int
    private let books: Mutex<Books>

    /// An empty ledger; device `n` is in group `n % groups`.
    init(devices: Int, groups: Int) {
        self.devices = devices
        self.groups = groups
        books = Mutex(
            Books(
                received: Array(repeating: [], count: devices),
                places: Array(repeating: 0, count: devices)
            )
        )
    }

    /// Notes what was accepted.
    func accept(_ id: NotificationIdentifier, for audience: Audience) {
        books.withLock { books in
            let number = books.audiences.count
            books.numbers[id] = number
            books.audiences.append(audience)
            for early in books.early.removeValue(forKey: id) ?? [] {
                record(early.device, number, early.sequence, &books)
            }
        }
    }

    /// Notes a delivery.
    func record(device: Int, _ notification: borrowing ReceivedNotification) {
        let (id, sequence) = (notification.id, notification.sequence ?? 0)
        books.withLock { books in
            if let number = books.numbers[id] {
                record(device, number, sequence, &books)
            } else {
                books.early[id, default: []].append((device, sequence))
            }
        }
    }

    private func record(_ device: Int, _ number: Int, _ sequence: UInt64, _ books: inout Books) {
        guard isMeant(device, books.audiences[number]) else {
            books.sums.misrouted += 1
            return
        }
        let (word, bit) = (number / 64, UInt64(1) << UInt64(number % 64))
        while books.received[device].count <= word { books.received[device].append(0) }
        guard books.received[device][word] & bit == 0 else {
            books.sums.duplicated += 1
            return
        }
        books.received[device][word] |= bit
        books.sums.delivered += 1
        if sequence <= books.places[device] { books.sums.outOfOrder += 1 }
        books.places[device] = sequence
    }

    /// Everything seen so far; notifications that this run did not send are misrouted.
    var sums: Sums {
        books.withLock { books in
            var sums = books.sums
            sums.misrouted += books.early.values.reduce(0) { $0 + $1.count }
            return sums
        }
    }

    /// Adds what became of all deliveries to a turn.
    func report(into turn: inout BenchTurn) {
        let (seen, owed) = (sums, expected)
        turn.counts.expected = owed
        turn.counts.delivered = seen.delivered
        turn.counts.lost = owed - seen.delivered
        turn.counts.duplicated = seen.duplicated
        turn.counts.misrouted = seen.misrouted
        if seen.outOfOrder > 0 {
            turn.faults.append("\(seen.outOfOrder) deliveries were out of order")
        }
    }

    /// Deliveries that all which was accepted makes.
    var expected: Int {
        books.withLock { books in
            books.audiences.reduce(0) { $0 + size($1) }
        }
    }

    private func size(_ audience: Audience) -> Int {
        switch audience {
        case .everybody: devices
        case .nobody: 0
        case .group(let group): (devices - group + groups - 1) / groups
        }
    }

    private func isMeant(_ device: Int, _ audience: Audience) -> Bool {
        switch audience {
        case .everybody: true
        case .nobody: false
        case .group(let group): device % groups == group
        }
    }
}
