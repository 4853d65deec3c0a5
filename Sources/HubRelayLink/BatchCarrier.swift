/// A carrier that takes a lane's requests together.
package protocol BatchCarrier: RelayCarrier {
    /// A channel for many requests at once, each with an answer within the time or none.
    ///
    /// `answered` gets answers as they come, some of them together.
    func channel(
        within time: Duration,
        answered: @escaping @Sendable ([CarriedAnswer]) -> Void
    ) -> @Sendable ([CarriedRequest]) -> Void
}
