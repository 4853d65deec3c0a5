package import HubVocabulary

/// A request that the lane wants to be made: one record for one registration.
package struct LaneTicket: Hashable, Sendable {
    /// The record.
    package let sequence: UInt64
    /// The registration's number.
    package let registration: UInt32
    /// Attempts that were made before.
    package let attempt: UInt8
    /// Which access token the request carries, counted from 0.
    package let token: UInt32
    /// When it is not worth sending any more.
    package let expires: Timestamp

    /// One registration has one request at a time, so that the rest tells few tickets apart.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(sequence << 32 ^ sequence >> 32 ^ UInt64(registration))
    }

    /// Makes one of its parts.
    package init(
        sequence: UInt64,
        registration: UInt32,
        attempt: UInt8,
        token: UInt32,
        expires: Timestamp
    ) {
        self.sequence = sequence
        self.registration = registration
        self.attempt = attempt
        self.token = token
        self.expires = expires
    }
}
