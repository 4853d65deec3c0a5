/// A counter of a notification, separate for each platform.
///
/// Raw values are places in stored rows, in no other order; gaps are for later kinds. All but
/// `sent` count a match, an acknowledgement or a report once, also across crashes. `sent` counts
/// every write, repeats after a lost connection included.
package enum TelemetryKind: UInt8, CaseIterable, Sendable {
    /// Registrations of live sessions that the target selected when it was fanned out.
    case matched = 0
    /// Entries written to a device, repeats included.
    case sent = 1
    /// Entries stored by a device.
    case acknowledged = 2
    /// Matches that were not sent because their time was over.
    case expired = 3
    /// Matches whose rendered payload is over the limit.
    case oversized = 4
    /// Matches that were not sent because the same bytes went to the same device.
    case skipped = 5
    /// Matches with time to live 0 that could not be taken at once.
    case missed = 6
    /// Devices that showed it.
    case displayed = 7
    /// Devices on which it was opened.
    case opened = 8
    /// Devices on which it was dismissed.
    case dismissed = 9
    /// Devices on which one of its actions was chosen.
    case acted = 10
    /// Devices that could not read it.
    case undecodable = 11
    /// Devices that dropped it because its time was over.
    case expiredOnDevice = 12
    /// Devices whose settings kept it from the user.
    case suppressed = 13
    /// Matches that were not sent because a later one with their collapse key replaced them.
    case collapsed = 14
    /// Matches that were not sent because more waited than the hub keeps for one device.
    case capped = 16
    /// Matches that were not sent because an operator purged them.
    case purged = 17
    /// Milliseconds from acceptance until every shard had fanned it out; of the whole notification.
    case fanOutMilliseconds = 15
    /// Matches that a push service took.
    case relayAccepted = 18
    /// Matches whose handle a push service calls expired.
    case relayExpiredChannel = 19
    /// Matches whose handle a push service does not know, or that are no handles of it.
    case relayBadChannel = 20
    /// Matches whose handle belongs to another sender.
    case relayWrongToken = 21
    /// Matches whose handle belongs to another app.
    case relayWrongChannel = 22
    /// Matches whose payload or headers a push service refused.
    case relayInvalidFormat = 23
    /// Matches whose payload is too large for the push service.
    case relayInvalidSize = 24
    /// Matches that a push service dropped, as the device's settings ask.
    case relayDropped = 25
    /// Matches that a push service refused for another reason.
    case relayRefused = 26
    /// Matches for which a push service never had time, in as many attempts as are made.
    case relayGaveUp = 27
    /// Matches that were not relayed because their time was over.
    case relayExpired = 28
    /// Matches with time to live 0 that could not be relayed at once.
    case relayMissed = 29
    /// Matches that were not relayed because a later one with their collapse key replaced them.
    case relayCollapsed = 30
    /// Matches that were not relayed because an operator purged them.
    case relayPurged = 31

    /// Places of a row; every raw value is below.
    package static let places = 32

    /// Those of matches that a push service did not take.
    package static let relayRefusals: [TelemetryKind] = [
        .relayExpiredChannel, .relayBadChannel, .relayWrongToken, .relayWrongChannel,
        .relayInvalidFormat, .relayInvalidSize, .relayDropped, .relayRefused, .relayGaveUp,
    ]

    /// Whether it counts matches that go to a push service.
    package var isRelayed: Bool { rawValue >= Self.relayAccepted.rawValue }

    /// The counter of a device's receipt; nil for events that say nothing new.
    ///
    /// Source: Protocol, RECEIPTS.
    package init?(receipt event: UInt8) {
        switch event {
        case 2: self = .displayed
        case 3: self = .opened
        case 4: self = .dismissed
        case 5: self = .acted
        case 6: self = .undecodable
        case 7: self = .expiredOnDevice
        case 8: self = .suppressed
        default: return nil
        }
    }

    /// The word in answers; nil for what is no count.
    package var word: String? {
        switch self {
        case .matched: "matchedConnected"
        case .sent: "sent"
        case .acknowledged: "acknowledged"
        case .expired: "expired"
        case .oversized: "invalidSize"
        case .skipped: "skipped"
        case .missed: "missed"
        case .displayed: "displayed"
        case .opened: "opened"
        case .dismissed: "dismissed"
        case .acted: "actionChosen"
        case .undecodable: "undecodable"
        case .expiredOnDevice: "expiredOnDevice"
        case .suppressed: "suppressed"
        case .collapsed: "collapsed"
        case .capped: "overCap"
        case .purged: "purged"
        case .fanOutMilliseconds: nil
        case .relayAccepted: "relayAccepted"
        case .relayExpiredChannel: "relayExpiredChannel"
        case .relayBadChannel: "relayBadChannel"
        case .relayWrongToken: "relayWrongToken"
        case .relayWrongChannel: "relayWrongChannel"
        case .relayInvalidFormat: "relayInvalidFormat"
        case .relayInvalidSize: "relayInvalidSize"
        case .relayDropped: "relayDropped"
        case .relayRefused: "relayRefused"
        case .relayGaveUp: "relayGaveUp"
        case .relayExpired: "relayExpired"
        case .relayMissed: "relayMissed"
        case .relayCollapsed: "relayCollapsed"
        case .relayPurged: "relayPurged"
        }
    }
}
