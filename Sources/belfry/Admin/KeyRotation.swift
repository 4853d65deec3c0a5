import Foundation
import HubExamination

/// The step of a rotation that is due, as far as the ages and uses of keys tell.
enum KeyRotation: Equatable {
    /// The secondary key is made anew.
    case secondary
    /// The primary key is still used.
    case watching(used: String, hoursLeft: Int)
    /// The primary key is made anew.
    case primary

    /// A rotation is under way while the secondary key is the younger one.
    init(of rule: KeyPage.Rule, quietHours: Int, now: Date) {
        guard rule.primaryMade < rule.secondaryMade else {
            self = .secondary
            return
        }
        guard let used = rule.primaryUsed,
            // A time that cannot be read is none that could be waited for.
            let time = try? Date(
                used,
                strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)
            )
        else {
            self = .primary
            return
        }
        // The last use was at the end of its hour at the latest.
        let quietFrom = time.addingTimeInterval(Double(quietHours + 1) * 3_600)
        let left = quietFrom.timeIntervalSince(now)
        self = left <= 0 ? .primary : .watching(used: used, hoursLeft: Int(left / 3_600) + 1)
    }
}
