/// A question and its caller.
struct HubQuestionCall: Sendable {
    /// Returns the answer of a hub.
    let answer: @Sendable (HubView) -> HubAnswer

    /// Joins a question with its caller.
    init(_ answer: @escaping @Sendable (HubView) -> HubAnswer) { self.answer = answer }
}
