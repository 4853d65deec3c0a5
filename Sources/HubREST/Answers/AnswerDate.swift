import HubAtom
package import HubVocabulary
import Synchronization

/// The time of answers, as their `Date` has it; for any thread.
package final class AnswerDate: Sendable {
    private let last = Mutex<(second: UInt64, text: String)>((.max, ""))

    /// None was asked for yet.
    package init() {}

    /// A time in whole seconds; it is spelled once for each.
    package func text(at time: Timestamp) -> String {
        let second = time.milliseconds / 1_000
        return last.withLock { last in
            if last.second != second { last = (second, CivilTime(time).http) }
            return last.text
        }
    }
}
