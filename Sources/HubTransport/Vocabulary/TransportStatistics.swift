/// A reactor's counts since it began; never reset.
package struct TransportStatistics: Sendable, Equatable {
    /// Why an accepted connection was closed at once.
    package enum Refusal: Int, CaseIterable, Sendable {
        /// `TransportLimits.connections`.
        case connections
        /// `TransportLimits.unauthenticatedPerAddress`.
        case perAddress
        /// The system had no memory or descriptor left for it.
        case resources
    }

    /// Connections taken from the listener.
    package internal(set) var accepted: UInt64 = 0
    /// Connections begun by `connect`.
    package internal(set) var connecting: UInt64 = 0
    /// Connections told to the handler as opened.
    package internal(set) var opened: UInt64 = 0
    /// Opened connections whose records are sealed without OpenSSL.
    package var handedOver: UInt64 = 0
    /// Connections told to the handler as closed.
    package internal(set) var closed: UInt64 = 0
    /// Connections closed because their output was not read.
    package internal(set) var unread: UInt64 = 0
    /// Connections without proof that were closed for newer ones.
    package internal(set) var yielded: UInt64 = 0
    /// Ciphertext bytes received.
    package internal(set) var bytesIn: UInt64 = 0
    /// Ciphertext bytes taken by the kernel.
    package internal(set) var bytesOut: UInt64 = 0
    /// Sends of a connection's bytes, singly or in a batch.
    package internal(set) var sends: UInt64 = 0
    /// Batches of several connections' bytes that were one call, through io_uring.
    package var ringBatches: UInt64 = 0
    /// Application data records sealed.
    package internal(set) var records: UInt64 = 0
    /// Sends that the kernel did not take in full.
    package internal(set) var blockedSends: UInt64 = 0
    /// Times accepting was paused for want of descriptors.
    package internal(set) var acceptPauses: UInt64 = 0
    private var failures = [UInt64](repeating: 0, count: HandshakeFailure.allCases.count)
    private var refusals = [UInt64](repeating: 0, count: Refusal.allCases.count)

    /// How many handshakes failed that way.
    package internal(set) subscript(_ failure: HandshakeFailure) -> UInt64 {
        get { failures[failure.rawValue] }
        set { failures[failure.rawValue] = newValue }
    }

    /// How many connections were refused for that reason.
    package internal(set) subscript(_ refusal: Refusal) -> UInt64 {
        get { refusals[refusal.rawValue] }
        set { refusals[refusal.rawValue] = newValue }
    }

    /// Everything zero.
    package init() {}
}
