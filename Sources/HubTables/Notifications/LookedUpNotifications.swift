package import HubModel
package import HubVocabulary

/// Notifications that receipts led to and that were read from the log for it, so that the receipts
/// of many devices cost one search.
///
/// Bounded: the oldest are forgotten first.
package struct LookedUpNotifications {
    private let sizeMax: Int
    private var known: [NotificationID: RecordHeader] = [:]
    private var ring: [NotificationID] = []
    private var oldest = 0

    /// Remembers at most so many.
    package init(sizeMax: Int) { self.sizeMax = max(1, sizeMax) }

    /// A notification, if it is remembered.
    package func find(_ id: NotificationID) -> RecordHeader? { known[id] }

    /// Remembers one that was found in the log and is not known yet.
    package mutating func insert(_ found: RecordHeader) {
        known[found.id] = found
        if ring.count < sizeMax {
            ring.append(found.id)
        } else {
            known[ring[oldest]] = nil
            ring[oldest] = found.id
            oldest = (oldest + 1) % sizeMax
        }
    }
}
