package import HubVocabulary

/// A request and its caller on their way to the writer, where the types of requests end.
package struct HubCall: Sendable {
    /// The writer's part in a call.
    enum Work: Sendable {
        /// Answers once no change is under way.
        case question(HubQuestionCall)
        /// Makes a change with the present group.
        case change(@Sendable (HubState, Now) -> Void)
        /// The same for one that lets others go first.
        case patientChange(@Sendable (HubState, Now) -> Void)
        /// Sends, over as many groups as it needs.
        case sendAll(SendSequence)
    }

    let work: Work
    private let refusing: @Sendable (Refusal) -> Void

    /// Joins work with its caller.
    init<Reply: Sendable>(
        _ work: Work,
        _ reply: @escaping @Sendable (Result<Reply, Refusal>) -> Void
    ) {
        self.work = work
        refusing = { reply(.failure($0)) }
    }

    /// Returns the answer of a hub that does not take the call.
    func refused(_ refusal: Refusal) -> HubAnswer {
        HubAnswer(Result<Void, Refusal>.failure(refusal)) { [refusing] _ in refusing(refusal) }
    }

    /// Tells the caller that the hub does not take the call.
    package func refuse(_ refusal: Refusal) { refusing(refusal) }
}
