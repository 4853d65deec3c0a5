import HubAtom
import HubModel
import HubQuestions
import HubTags
import HubVocabulary

/// A notification of a list: no payload, no handle.
struct NotificationReport: Encodable {
    private enum Receivers: String, Encodable {
        case everyone
        case handles
        case registrations
        case tags
    }

    private let accepted: String
    private let acknowledged: UInt64
    private let bytes: Int
    /// Matches that will never be delivered.
    private let dropped: UInt64
    private let expires: String
    private let format: String
    private let id: String
    /// Registrations of connected devices.
    private let matchedConnected: UInt64
    private let place: UInt64
    private let receivers: Receivers
    private let sent: UInt64
    private let state: String
    /// Absent without an expression.
    private var tags: String?

    init(_ entry: ListNotifications.Entry) {
        let record = entry.record
        func sum(_ kinds: TelemetryKind...) -> UInt64 {
            kinds.reduce(0) { sum, kind in
                Platform.allCases.reduce(sum) { $0 + entry.counts[$1, kind] }
            }
        }
        accepted = TimeText.iso8601(record.id.time)
        acknowledged = sum(.acknowledged)
        bytes = record.draft.body.count
        dropped = sum(.expired, .oversized, .missed, .collapsed, .capped, .purged)
        expires = TimeText.iso8601(record.expires)
        format =
            switch record.draft.format {
            case .template: "template"
            case .native(let platform): platform.format
            }
        id = NotificationAddress.text(record.id, record.sequence)
        matchedConnected = sum(.matched)
        place = record.sequence
        sent = sum(.sent)
        state = entry.isFannedOut ? "fannedOut" : "processing"
        switch record.draft.target {
        case .broadcast: receivers = .everyone
        case .handles: receivers = .handles
        case .slots: receivers = .registrations
        case .tags(let expression):
            receivers = .tags
            tags = String(decoding: expression.source, as: UTF8.self)
        }
    }
}
