import Synchronization
package import HubVocabulary

/// The last use of one key, by the hour; for any thread.
package final class KeyUse: Sendable {
    /// The kinds of users.
    package enum User: CaseIterable, Sendable {
        /// A request of the REST API.
        case request
        /// A device's first HELLO.
        case device
    }

    private static let hourMilliseconds: UInt64 = 3_600_000

    /// Hours since 1970; 0 for never.
    private let requests = Atomic<UInt64>(0)
    private let devices = Atomic<UInt64>(0)

    /// A key that was never used.
    package init() {}

    /// Notes a use; a store to memory once an hour, otherwise a look.
    package func mark(_ user: User, at time: Timestamp) {
        let hour = time.milliseconds / Self.hourMilliseconds
        switch user {
        case .request: note(hour, in: requests)
        case .device: note(hour, in: devices)
        }
    }

    /// The hour of the last use by a kind of users, as its beginning; nil for never.
    package func last(_ user: User) -> Timestamp? {
        let hour =
            switch user {
            case .request: requests.load(ordering: .relaxed)
            case .device: devices.load(ordering: .relaxed)
            }
        return hour == 0 ? nil : Timestamp(milliseconds: hour * Self.hourMilliseconds)
    }

    /// The hour of the last use by any of them.
    package var last: Timestamp? { User.allCases.compactMap(last).max() }

    private func note(_ hour: UInt64, in place: borrowing Atomic<UInt64>) {
        // A line of memory that only changes once an hour stays in the caches of all cores.
        guard place.load(ordering: .relaxed) < hour else { return }
        place.store(hour, ordering: .relaxed)
    }
}
