package import HubClient
import Synchronization

/// Which device received which notification when; finds what is lost, doubled or misrouted.
///
/// Devices below `subscribers` should get every notification once, the others none. Times are kept
/// as they come and compared with the sends afterwards, since a device may receive a notification
/// before its sender has read the `201`.
package final class DeliveryLedger: Sendable {
    /// What is known about one notification.
    struct Account: Sendable {
        /// Nanoseconds of the monotonic clock for each subscriber; 0 for not received.
        var receivedAt: [UInt64]
        var received = 0
        var duplicated = 0
        var misrouted = 0
        var payloadBytes = 0
        var wireBytes = 0
    }

    private struct Books {
        var accounts: [Account] = []
        var index: [NotificationIdentifier: Int] = [:]
        var identifiers: [NotificationIdentifier] = []
        var total = 0

        mutating func position(
            of id: NotificationIdentifier,
            subscribers: Int
        ) -> Int {
            if let last = identifiers.last, last == id { return identifiers.count - 1 }
            if let known = index[id] { return known }
            let receivedAt = [UInt64](repeating: 0, count: subscribers)
            accounts.append(DeliveryLedger.Account(receivedAt: receivedAt))
            identifiers.append(id)
            index[id] = accounts.count - 1
            return accounts.count - 1
        }
    }

    private let subscribers: Int
    private let books = Mutex(Books())

    /// An empty ledger for devices 0 to `subscribers - 1`.
    package init(subscribers: Int) { self.subscribers = subscribers }

    /// Notes a delivery; cheap enough for every one of a fleet.
    package func record(
        device: Int,
        _ notification: borrowing ReceivedNotification,
        at time: MonotonicTime
    ) {
        let id = notification.id
        let payloadBytes = notification.payloadBytes
        let wireBytes = notification.wireBytes
        books.withLock { books in
            let position = books.position(of: id, subscribers: subscribers)
            books.accounts[position].payloadBytes = payloadBytes
            books.accounts[position].wireBytes = wireBytes
            guard device < subscribers else {
                books.accounts[position].misrouted += 1
                return
            }
            guard books.accounts[position].receivedAt[device] == 0 else {
                books.accounts[position].duplicated += 1
                return
            }
            books.accounts[position].receivedAt[device] = time.nanoseconds
            books.accounts[position].received += 1
            books.total += 1
        }
    }

    /// Deliveries so far, repeats and misrouted ones not counted.
    package var total: Int { books.withLock { $0.total } }

    /// How many of the named notifications every subscriber has.
    func isComplete(_ ids: [NotificationIdentifier]) -> Bool {
        books.withLock { books in
            ids.allSatisfy { id in
                guard let position = books.index[id] else { return false }
                return books.accounts[position].received == subscribers
            }
        }
    }

    /// The account of a notification; an empty one when nobody received it.
    func account(of id: NotificationIdentifier) -> Account {
        books.withLock { books in
            books.index[id].map { books.accounts[$0] }
                ?? Account(receivedAt: [UInt64](repeating: 0, count: subscribers))
        }
    }

    /// Deliveries of notifications that are not among those named: nobody here sent them.
    func strangers(besides ids: [NotificationIdentifier]) -> Int {
        let known = Set(ids)
        return books.withLock { books in
            var count = 0
            for (position, id) in books.identifiers.enumerated() where !known.contains(id) {
                let account = books.accounts[position]
                count += account.received + account.duplicated + account.misrouted
            }
            return count
        }
    }
}
