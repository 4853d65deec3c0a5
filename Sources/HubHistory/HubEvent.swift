package import HubModel
import HubTags
package import HubVocabulary

/// Something that happened in a hub; it has no payload, no handle and no key.
package struct HubEvent: Sendable {
    /// The receivers of a notification.
    package enum Receivers: Equatable, Sendable {
        /// All registrations.
        case everyone
        /// Some push handles.
        case handles
        /// Some registrations of a test.
        case registrations
        /// The beginning of a tag expression.
        case tags([UInt8])
    }

    /// The kinds of events, with their facts.
    package enum Kind: Sendable {
        /// A notification is durable.
        case accepted(NotificationID, NotificationFormat, Receivers)
        /// A request was refused.
        case refused(operation: String, status: Int, code: Int, tracking: String)
        /// An administrator has changed something.
        case changed(operation: String, rule: String, tracking: String)
        /// The hub's directory told something, by its label.
        case told(String)
        /// The server told something, as a sentence.
        case notice(String)
        /// A proven device asks for its session.
        case connected(DeviceID)
        /// The session of a device has ended.
        case ended(DeviceID)
        /// So many devices came and went that are not told: they were too many at once.
        case leftOut(Int)
    }

    /// From 1, without gaps.
    package let number: UInt64
    /// When it happened.
    package let time: Timestamp
    /// Its kind, with its facts.
    package let kind: Kind
}

extension HubEvent.Kind {
    /// A record that is durable.
    package init(accepting record: NotificationRecord) {
        let receivers: HubEvent.Receivers =
            switch record.draft.target {
            case .broadcast: .everyone
            case .handles: .handles
            case .slots: .registrations
            case .tags(let expression):
                .tags(Array(expression.source.prefix(HistoryLimits.expressionBytes)))
            }
        self = .accepted(record.id, record.draft.format, receivers)
    }

    /// The word by which readers choose.
    package var name: String {
        switch self {
        case .accepted: "accepted"
        case .refused: "refused"
        case .changed: "changed"
        case .told: "told"
        case .notice: "notice"
        case .connected: "connected"
        case .ended: "ended"
        case .leftOut: "leftOut"
        }
    }

    /// All words.
    package static let names = [
        "accepted", "refused", "changed", "told", "notice", "connected", "ended", "leftOut",
    ]
}
