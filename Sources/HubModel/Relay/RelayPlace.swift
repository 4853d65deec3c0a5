/// How a platform is relayed to.
package struct RelayPlace: Hashable, Sendable {
    /// The first record that is relayed with the credential.
    package var since: UInt64
    /// Why the lane rests; nil while it sends.
    package var cause: String?
    /// The condition that the lane told last.
    package var condition = RelayCondition()

    /// A lane that sends, or that cannot begin for a cause.
    package init(since: UInt64, cause: String? = nil) {
        self.since = since
        self.cause = cause
    }
}
