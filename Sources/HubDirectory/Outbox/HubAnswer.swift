import HubModel
import HubVocabulary

/// An answer that waits to be given to its caller, or a refusal in its place.
package struct HubAnswer: Sendable {
    private let tell: @Sendable (Refusal?) -> Void
    private let refusal: Refusal?

    /// Makes the answer to one caller.
    init<Reply: Sendable>(
        _ result: Result<Reply, Refusal>,
        to reply: @escaping @Sendable (Result<Reply, Refusal>) -> Void
    ) {
        tell = { refusal in reply(refusal.map { .failure($0) } ?? result) }
        refusal = nil
    }

    private init(_ answer: HubAnswer, refusal: Refusal) {
        tell = answer.tell
        self.refusal = refusal
    }

    /// Returns the answer to the same caller when the store refused what the answer needs.
    func refused(by error: StoreError?) -> HubAnswer {
        error.map { HubAnswer(self, refusal: $0.refusal) } ?? self
    }

    /// Tells the caller; exactly once.
    package func give() { tell(refusal) }
}
