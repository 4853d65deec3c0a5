import HubModel
import HubVocabulary

/// Adds up how the lines of one request end.
struct SendLineTally {
    /// By status and sub code, ascending; there are few kinds of refusals.
    private(set) var counts: [SendLineCount] = []

    mutating func add(_ outcome: Result<AcceptedSend, Refusal>) {
        switch outcome {
        case .success: add(201, 0)
        case .failure(let refusal): add(refusal.status, refusal.subCode)
        }
    }

    private mutating func add(_ status: Int, _ subCode: Int) {
        let place = counts.firstIndex { ($0.status, $0.subCode) >= (status, subCode) }
        if let place, counts[place].status == status, counts[place].subCode == subCode {
            counts[place].count += 1
        } else {
            let one = SendLineCount(status: status, subCode: subCode, count: 1)
            counts.insert(one, at: place ?? counts.count)
        }
    }
}
