import HubModel
import HubVocabulary

/// The fate of one of many sends once the store has spoken about its group.
struct SendPromise {
    private let result: Result<AcceptedSend, Refusal>
    private let needs: AnswerNeeds
    /// Whether the store could not say if the key is new.
    private let isUnread: Bool

    /// Promises a result for what the group holds, or for what is known already.
    init(_ result: Result<AcceptedSend, Refusal>, needs: AnswerNeeds, isUnread: Bool = false) {
        self.result = result
        self.needs = needs
        self.isUnread = isUnread
    }

    /// Whether those behind it may be in the same group: their records would be durable although
    /// this one is refused.
    var mayBeFollowed: Bool {
        switch needs {
        case .records: true
        case .changes: false
        case .nothing: !isUnread
        }
    }

    /// Returns why the store could not take it, apart from the group's records.
    func storeRefusal(changes: StoreError?) -> Refusal? {
        switch needs {
        case .records: return nil
        case .changes: return changes?.refusal
        case .nothing:
            guard isUnread, case .failure(let refusal) = result else { return nil }
            return refusal
        }
    }

    /// Returns what the caller is told once the group is settled.
    func outcome(changes: StoreError?, records: StoreError?) -> Result<AcceptedSend, Refusal> {
        let error: StoreError? =
            switch needs {
            case .records: records
            case .changes: changes
            case .nothing: nil
            }
        return error.map { .failure($0.refusal) } ?? result
    }
}
