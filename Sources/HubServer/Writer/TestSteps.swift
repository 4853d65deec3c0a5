import HubHistory
import HubModel
import HubVocabulary
import Synchronization

/// How far the newest test sends of a hub came; for any thread.
final class TestSteps: Sendable {
    private let journal = Mutex(DeliveryJournal())

    /// Records are durable; call it before shards hear of them.
    func begin(_ records: [NotificationRecord], at now: Instant) {
        for record in records {
            guard case .slots = record.draft.target else { continue }
            journal.withLock { $0.begin(record, at: now) }
        }
    }

    /// A shard tells a step of a delivery.
    func hear(_ step: DeliveryStep) { journal.withLock { $0.hear(step) } }

    /// Returns the devices to which a test was sent; nil when it is no test, or an old one.
    func devices(of id: NotificationID) -> [DeliveryJournal.Device]? {
        journal.withLock { $0.devices(of: id) }
    }
}
