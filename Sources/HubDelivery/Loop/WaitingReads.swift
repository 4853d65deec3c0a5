package import HubModel
package import HubVocabulary

/// Reads of the log that wait for the hub's reader: one for each device at most.
///
/// A read of a newer session takes the place of an older one's, and that of a session that has ended
/// is not done. So what waits is bounded by devices, whatever they do, and each waits its turn: the
/// next page of one comes behind the first of all others.
package struct WaitingReads: Sendable {
    /// By device; nil where the session has gone, and its place in the queue is still taken.
    private var waiting: [DeviceID: LogQuery?] = [:]

    /// Nothing waits.
    package init() {}

    /// Devices that have a place.
    package var count: Int { waiting.count }

    /// Adds a read.
    ///
    /// Returns whether its device needs a place in the queue.
    package mutating func add(_ query: LogQuery) -> Bool {
        guard let known = waiting[query.device] else {
            waiting[query.device] = query
            return true
        }
        // An older session's, which was taken over: no session waits for the answer.
        if let known, known.sessionGeneration > query.sessionGeneration { return false }
        waiting[query.device] = query
        return false
    }

    /// Takes what a device's place in the queue stands for; nil when no session waits for it.
    package mutating func take(_ device: DeviceID) -> LogQuery? {
        waiting.removeValue(forKey: device) ?? nil
    }

    /// The session has ended.
    package mutating func forget(_ device: DeviceID, sessionGeneration: UInt64) {
        guard let known = waiting[device], known?.sessionGeneration == sessionGeneration else {
            return
        }
        waiting.updateValue(nil, forKey: device)
    }
}
