/// The optional features of one side; a session uses only those that WELCOME names.
///
/// Source: Protocol [V-3].
package struct Capabilities: OptionSet, Hashable, Sendable {
    /// The bits as on the wire.
    package let rawValue: UInt64
    /// A set of bits, known or not.
    package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Parcels of codec 1: deflate.
    package static let deflate = Capabilities(rawValue: 1 << 0)
    /// Parcels of codec 2: deflate with the well-known dictionary 1.
    package static let dictionary1 = Capabilities(rawValue: 1 << 1)
    /// RECEIPTS.
    package static let receipts = Capabilities(rawValue: 1 << 3)
    /// Transient entries.
    package static let transient = Capabilities(rawValue: 1 << 7)
    /// All that version 1 knows.
    package static let known: Capabilities = [.deflate, .dictionary1, .receipts, .transient]
}
