/// Whom an explanation is about.
package enum ExplainSubject: Hashable, Sendable {
    /// A device, by its id.
    case device(DeviceID)
    /// Whoever holds a push handle, in its canonical spelling.
    case handle([UInt8])
    /// A registration, by its external id.
    case registration(id: [UInt8])
    /// An installation, by its id: the registrations it stands for.
    case installation(id: [UInt8])
}

/// Why a registration did or did not get a notification.
package enum ExplainReason: Hashable, Sendable {
    /// No such notification, or it is no longer kept.
    case unknownNotification
    /// No such registration.
    case unknownRegistration
    /// No such installation, or it stands for no registration.
    case unknownInstallation
    /// The device has no registration that was, or is, known.
    case unknownDevice
    /// The registration's handle is none of the hub's.
    case unknownHandle
    /// The registration came to be behind the notification.
    case notRegisteredThen(since: UInt64)
    /// The registration was deleted before it was delivered there.
    case deleted
    /// The notification is for another platform or kind.
    case formatDiffers(wanted: NotificationFormat, has: NotificationFormat, of: Platform)
    /// The notification names handles, and not this device's.
    case notNamed
    /// The tag expression is false for the tags of then; this part of it fails first.
    case tagsDiffer(part: [UInt8])
    /// Nobody knows the tags of then: too many changes since.
    case historyCut
    /// The template no longer compiles.
    case templateError
    /// The rendered payload is over the limit.
    case invalidSize(bytes: Int, limit: Int)
    /// Time to live 0: live sessions had it at once, nobody later.
    case transient
    /// Its time was over before it could be delivered.
    case expired(Timestamp)
    /// The device's position is past it: it was stored, or it had expired when the device came; both
    /// happened on this platform.
    case passed(Timestamp)
    /// A later notification with its collapse key replaced it, or will, before it is sent.
    case collapsed(by: NotificationName)
    /// The device's position is past it: it was stored, or a later one replaced it; both happened on
    /// this platform.
    case collapsedOrStored(by: NotificationName)
    /// More waited than is kept for one device, so it was cut.
    case overCap
    /// The device's position is past it: it was stored, or cut; both happened on this platform.
    case overCapOrStored
    /// An operator purged it.
    case purged
    /// The device's position is past it: it was stored, or purged; both happened on this platform.
    case purgedOrStored
    /// The device's position is past it: it was stored, or skipped, since tags of then of one of the
    /// device's registrations are forgotten.
    case historyCutOrStored
    /// It waits for the device, which is away since then.
    case waiting(offlineSince: Timestamp?)
    /// The device is connected and has not acknowledged it yet.
    case pending
    /// It was sent; the connection ended before the device acknowledged it, so it comes again.
    case sentUnacknowledged(offlineSince: Timestamp?)
    /// The device has stored it; it said so at the latest when it was last seen.
    case acknowledged(lastSeen: Timestamp)

    /// The reason's name as data.
    package var word: String {
        switch self {
        case .unknownNotification: "unknownNotification"
        case .unknownRegistration: "unknownRegistration"
        case .unknownInstallation: "unknownInstallation"
        case .unknownDevice: "unknownDevice"
        case .unknownHandle: "unknownHandle"
        case .notRegisteredThen: "notRegisteredThen"
        case .deleted: "deleted"
        case .formatDiffers: "formatDiffers"
        case .notNamed: "notNamed"
        case .tagsDiffer: "tagsDiffer"
        case .historyCut: "historyCut"
        case .templateError: "templateError"
        case .invalidSize: "invalidSize"
        case .transient: "transient"
        case .expired: "expired"
        case .passed: "passed"
        case .collapsed: "collapsed"
        case .collapsedOrStored: "collapsedOrStored"
        case .overCap: "overCap"
        case .overCapOrStored: "overCapOrStored"
        case .purged: "purged"
        case .purgedOrStored: "purgedOrStored"
        case .historyCutOrStored: "historyCutOrStored"
        case .waiting: "waiting"
        case .pending: "pending"
        case .sentUnacknowledged: "sentUnacknowledged"
        case .acknowledged: "acknowledged"
        }
    }

    /// How near the notification came to the device; the highest of several is the answer.
    var rank: Int {
        switch self {
        case .unknownNotification, .unknownRegistration, .unknownInstallation, .unknownDevice: 0
        case .formatDiffers, .notNamed: 1
        case .unknownHandle: 2
        case .deleted: 3
        case .notRegisteredThen: 4
        case .tagsDiffer, .historyCut: 5
        case .templateError, .invalidSize: 6
        case .transient: 7
        case .expired, .passed, .collapsed, .collapsedOrStored, .overCap, .overCapOrStored, .purged,
            .purgedOrStored, .historyCutOrStored:
            8
        case .waiting, .pending: 9
        case .sentUnacknowledged: 10
        case .acknowledged: 11
        }
    }
}

/// The reason for one registration, in a sentence and as data; holds no handle.
package struct Explanation: Hashable, Sendable {
    /// The registration's external id; nil for a direct send and for what is unknown.
    package var registration: [UInt8]?
    /// Its platform.
    package var platform: Platform?
    /// Its slot on the device.
    package var slot: UInt16?
    /// Why.
    package var reason: ExplainReason

    /// Makes an explanation.
    package init(
        registration: [UInt8]? = nil,
        platform: Platform? = nil,
        slot: UInt16? = nil,
        reason: ExplainReason
    ) {
        self.registration = registration
        self.platform = platform
        self.slot = slot
        self.reason = reason
    }

    /// One sentence for people.
    package var sentence: String {
        switch reason {
        case .unknownNotification: "There is no such notification, or it is no longer kept."
        case .unknownRegistration: "There is no such registration, and none was deleted."
        case .unknownInstallation:
            "There is no such installation, or it stands for no registration."
        case .unknownDevice: "Nothing leads or led to such a device."
        case .unknownHandle:
            "The registration's handle belongs to no device of this hub, so nothing reaches it."
        case .notRegisteredThen(let since):
            "The registration was made after the notification: it gets what is sent from place"
                + " \(since) on."
        case .deleted: "The registration was deleted; what it had not got by then it does not get."
        case .formatDiffers(let wanted, let has, let platform):
            "The notification is for \(Self.kind(wanted, nil)) registrations; this one is"
                + " \(Self.kind(has, platform))."
        case .notNamed: "The notification names the handles of other devices."
        case .tagsDiffer(let part):
            "The tags that the registration had then do not satisfy"
                + " '\(String(decoding: part, as: UTF8.self))'."
        case .historyCut:
            "The registration's tags changed so often since then that those of then are forgotten."
        case .templateError: "The registration's template does not compile."
        case .invalidSize(let bytes, let limit):
            "The rendered payload has at least \(bytes) bytes; \(limit) are allowed."
        case .transient:
            "Its time to live is 0: whoever was connected got it at once, nobody gets it later."
        case .expired(let time): "It expired at \(TimeText.iso8601(time)), before it was delivered."
        case .passed(let time):
            "The device is past it: it has stored it, or came back after it had expired at"
                + " \(TimeText.iso8601(time))."
        case .collapsed(let newer):
            "A later notification with its collapse key replaced it: \(newer.id.text)."
        case .collapsedOrStored(let newer):
            "The device is past it: it has stored it, or \(newer.id.text), with its collapse key, came"
                + " in its place."
        case .overCap:
            "It was cut: more waited for the device than is kept for one absence, and it was told so."
        case .overCapOrStored:
            "The device is past it: it has stored it, or it was cut because more waited than is kept"
                + " for one absence."
        case .purged: "An operator purged it before it was delivered."
        case .purgedOrStored:
            "The device is past it: it has stored it, or an operator purged it before."
        case .historyCutOrStored:
            "The device is past it: it has stored it, or skipped it, because tags of its registrations"
                + " changed so often that those of then are forgotten; it was told so."
        case .waiting(let since): "It waits for the device\(Self.away(since))."
        case .pending: "The device is connected and has not acknowledged it yet."
        case .sentUnacknowledged(let since):
            "It was sent, and is sent again: the device did not acknowledge it\(Self.away(since))."
        case .acknowledged(let seen):
            "The device has stored it; it was last seen at \(TimeText.iso8601(seen))."
        }
    }

    private static func away(_ since: Timestamp?) -> String {
        since.map { ", which is away since \(TimeText.iso8601($0))" } ?? ""
    }

    private static func kind(_ format: NotificationFormat, _ platform: Platform?) -> String {
        switch format {
        case .native(let platform): "native \(platform.format)"
        case .template: platform.map { "a template of \($0.format)" } ?? "template"
        }
    }
}

extension ExplainSubject {
    /// Reads a device's id, 32 hex digits or as a UUID, or its push handle of 64 digits; nil when
    /// it is neither.
    package init?(device text: [UInt8]) {
        let digits = text.filter { $0 != UInt8(ascii: "-") }
        guard let bytes = HexText.decode(digits.span) else { return nil }
        switch bytes.count {
        case 16:
            let high = UInt64(bigEndian: bytes)
            self = .device(DeviceID(high: high, low: UInt64(bigEndian: bytes.dropFirst(8))))
        case PushHandle.byteCount: self = .handle(HexText.encode(bytes))
        default: return nil
        }
    }
}
