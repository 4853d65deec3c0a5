import HubVocabulary

/// Notifications that receipts led to and that were read from the log for it, so that the receipts
/// of many devices cost one search.
///
/// Bounded: the oldest are forgotten first.
struct LookedUpNotifications {
    /// Where a notification is, and for whom.
    typealias Found = (sequence: UInt64, format: NotificationFormat)

    private let sizeMax: Int
    private var known: [NotificationID: Found] = [:]
    private var ring: [NotificationID] = []
    private var oldest = 0

    /// Remembers at most so many.
    init(sizeMax: Int) { self.sizeMax = max(1, sizeMax) }

    /// The place and format of a notification, if it is remembered.
    func find(_ id: NotificationID) -> Found? { known[id] }

    /// Remembers one that was found in the log and is not known yet.
    mutating func insert(_ id: NotificationID, _ found: Found) {
        known[id] = found
        if ring.count < sizeMax {
            ring.append(id)
        } else {
            known[ring[oldest]] = nil
            ring[oldest] = id
            oldest = (oldest + 1) % sizeMax
        }
    }
}
