package import HubVocabulary

/// A request that only reads; it is answered from what is durable, behind every write before it.
package protocol HubQuestion: HubRequest {
    /// The answer to a caller that is not refused.
    associatedtype Reply

    /// Returns the answer.
    ///
    /// - Throws: why there is none.
    func answer(_ hub: HubView) throws(Refusal) -> Reply
}

extension HubQuestion {
    /// Returns the question with the one who waits for its answer.
    package func call(_ reply: @escaping @Sendable (Result<Reply, Refusal>) -> Void) -> HubCall {
        HubCall(
            .question(
                HubQuestionCall { hub in
                    HubAnswer(Result { () throws(Refusal) in try answer(hub) }, to: reply)
                }
            ),
            reply
        )
    }
}
