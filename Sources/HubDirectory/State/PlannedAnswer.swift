import HubVocabulary

/// The answer to a caller once a group is through, with what must be durable for it.
package struct PlannedAnswer<Reply: Sendable> {
    let result: Result<Reply, Refusal>
    let needs: AnswerNeeds

    /// Makes an answer that needs something.
    init(_ result: Result<Reply, Refusal>, needs: AnswerNeeds) {
        self.result = result
        self.needs = needs
    }

    /// Makes the answer of a change, which holds if the group's changes are durable.
    init(changing body: () throws(Refusal) -> Reply) {
        self.init(Result(catching: body), needs: .changes)
    }

    /// Returns the answer with another reply.
    func map<Other>(_ body: (Reply) -> Other) -> PlannedAnswer<Other> {
        PlannedAnswer<Other>(result.map(body), needs: needs)
    }
}
