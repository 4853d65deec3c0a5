import HubClient
import HubVocabulary
import Synchronization

/// Which device received what when, for audiences of any kind; lets senders wait for receipts.
///
/// A device may receive a notification before its sender has read the `201`, so receipts are kept
/// by id as they come, and compared with the sends afterwards.
final class ReceiptLedger: Sendable {
    private struct Receipt {
        let device: Int32
        let at: UInt64
    }

    private struct Account {
        var receipts: [Receipt] = []
        /// How many receipts let the waiter go on.
        var wanted = 0
        var waiter: CheckedContinuation<Bool, Never>?
        var isGivenUp = false
    }

    private struct Books {
        var accounts: [NotificationIdentifier: Account] = [:]
        var total = 0
        var hasGivenUp = false
    }

    private let books = Mutex(Books())

    /// Notes a delivery; for a fleet's hook.
    func record(
        device: Int,
        _ notification: borrowing ReceivedNotification,
        at time: Instant
    ) {
        let id = notification.id
        let receipt = Receipt(device: Int32(clamping: device), at: time.nanoseconds)
        let waiter: CheckedContinuation<Bool, Never>? = books.withLock { books in
            books.total += 1
            books.accounts[id, default: Account()].receipts.append(receipt)
            guard let account = books.accounts[id], let waiter = account.waiter,
                account.receipts.count >= account.wanted
            else { return nil }
            books.accounts[id]?.waiter = nil
            return waiter
        }
        waiter?.resume(returning: true)
    }

    /// Deliveries so far.
    var total: Int { books.withLock { $0.total } }

    /// Waits until so many devices have a notification; false after `giveUp`.
    func arrival(of id: NotificationIdentifier, at count: Int) async -> Bool {
        await withCheckedContinuation { waiter in
            let known: Bool? = books.withLock { books in
                let seen = books.accounts[id]?.receipts.count ?? 0
                if seen >= count { return true }
                if books.hasGivenUp || books.accounts[id]?.isGivenUp == true { return false }
                books.accounts[id, default: Account()].wanted = count
                books.accounts[id]?.waiter = waiter
                return nil
            }
            if let known { waiter.resume(returning: known) }
        }
    }

    /// Waits until so many devices have each of some sends; false when that takes too long.
    func arrival(of sends: [SendRecord], at count: Int, within patience: Duration) async -> Bool {
        let ids = sends.compactMap(\.id)
        let timer = Task {
            // Cancelled when all have come; then nothing is given up.
            guard await Pause.last(patience) else { return }
            giveUp(ids)
        }
        defer { timer.cancel() }
        for id in ids where await !arrival(of: id, at: count) { return false }
        return true
    }

    /// Senders do not wait for any notification any longer.
    func giveUp() {
        let ids = books.withLock { books in
            books.hasGivenUp = true
            return Array(books.accounts.keys)
        }
        giveUp(ids)
    }

    private func giveUp(_ ids: [NotificationIdentifier]) {
        let waiters = books.withLock { books in
            ids.compactMap { id in
                books.accounts[id, default: Account()].isGivenUp = true
                defer { books.accounts[id]?.waiter = nil }
                return books.accounts[id]?.waiter
            }
        }
        for waiter in waiters { waiter.resume(returning: false) }
    }

    /// Compares what was received with what was sent.
    ///
    /// - Parameters:
    ///   - sends: everything that was sent, the warm-up and what was measured before as well.
    ///   - latencies: told of each first receipt with its send.
    /// - Returns: what became of the deliveries.
    func audit(
        _ sends: [AuditedSend],
        latencies: (AuditedSend, _ receivedAt: Instant) -> Void = { _, _ in }
    ) -> DeliveryCounts {
        var counts = DeliveryCounts()
        var known: Set<NotificationIdentifier> = []
        let accounts = books.withLock { $0.accounts }
        for send in sends {
            guard let id = send.record.id else {
                counts.sendsFailed += 1
                continue
            }
            known.insert(id)
            counts.expected += send.audience.count
            var seen: Set<Int32> = []
            for receipt in accounts[id]?.receipts ?? [] {
                guard send.audience.holds(Int(receipt.device)) else {
                    counts.misrouted += 1
                    continue
                }
                guard seen.insert(receipt.device).inserted else {
                    counts.duplicated += 1
                    continue
                }
                counts.delivered += 1
                latencies(send, Instant(nanoseconds: receipt.at))
            }
            counts.lost += send.audience.count - seen.count
        }
        for (id, account) in accounts where !known.contains(id) {
            counts.misrouted += account.receipts.count
        }
        return counts
    }
}
