package import HubVocabulary

/// A notification that waits by itself, because its device asked for a pause.
package struct DeferredRow: Hashable, Sendable {
    /// The record.
    package var sequence: UInt64
    /// The registration's number.
    package var registration: UInt32
    /// Attempts that were made.
    package var attempt: UInt8
    /// When the next one is made; wall-clock time, because it outlives the process.
    package var due: Timestamp
    /// When it is not worth sending any more.
    package var expires: Timestamp

    /// Makes a row of its parts.
    package init(
        sequence: UInt64,
        registration: UInt32,
        attempt: UInt8,
        due: Timestamp,
        expires: Timestamp
    ) {
        self.sequence = sequence
        self.registration = registration
        self.attempt = attempt
        self.due = due
        self.expires = expires
    }

    /// Which row it is.
    package var key: Key { Key(sequence: sequence, registration: registration) }

    /// A record and a registration.
    package struct Key: Hashable, Comparable, Sendable {
        /// The record.
        package let sequence: UInt64
        /// The registration's number.
        package let registration: UInt32

        /// Names a row.
        package init(sequence: UInt64, registration: UInt32) {
            self.sequence = sequence
            self.registration = registration
        }

        package static func < (left: Key, right: Key) -> Bool {
            (left.sequence, left.registration) < (right.sequence, right.registration)
        }
    }
}
