package import HubVocabulary

/// A request that changes what a hub keeps, or sends.
package protocol HubChange: HubRequest {
    /// The answer to a caller that is not refused.
    associatedtype Reply

    /// Makes the change with the present group, and returns what its caller is told then.
    func plan(_ hub: HubState, now: Now) -> PlannedAnswer<Reply>
}

extension HubChange {
    /// Returns the change with the one who waits for its answer.
    package func call(_ reply: @escaping @Sendable (Result<Reply, Refusal>) -> Void) -> HubCall {
        let change: @Sendable (HubState, Now) -> Void = { hub, now in
            let planned = plan(hub, now: now)
            let answer = HubAnswer(planned.result, to: reply)
            hub.group.answers.append(.answer(answer, planned.needs))
        }
        return HubCall(isPatient ? .patientChange(change) : .change(change), reply)
    }
}
