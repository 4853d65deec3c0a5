/// Counts that a relay gave up by an operator's word.
package struct RelaySkipAnswer: Decodable, Equatable, Sendable {
    /// Notifications for one device each that were waiting.
    package var ended: Int
    /// Records of the log that are passed over as they are read.
    package var unread: UInt64
}
