package import HubVocabulary

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
    /// The device that it leads to; nil for a push service's handle and for what is unknown.
    package var device: DeviceID?
    /// Its tags when the notification was accepted; nil when it was not there, or they are forgotten.
    package var tagsThen: TagsThen?

    /// Makes an explanation.
    package init(
        registration: [UInt8]? = nil,
        platform: Platform? = nil,
        slot: UInt16? = nil,
        reason: ExplainReason,
        device: DeviceID? = nil,
        tagsThen: TagsThen? = nil
    ) {
        self.registration = registration
        self.platform = platform
        self.slot = slot
        self.reason = reason
        self.device = device
        self.tagsThen = tagsThen
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
            "The registration's handle belongs to no device of this hub, and no credential for its"
                + " platform was there at the time, so nothing reached it."
        case .relayWaiting(let cause): "It waits for the push service\(Self.behind(": ", cause))"
        case .relayDeferred(let time): Self.deferred(until: time)
        case .relayed: "The device's push service took it."
        case .relayedOrDropped:
            "The device's push service took it, or it expired, was replaced or purged before."
        case .relayRefused(let outcome, let reason, let time):
            "It was refused at \(TimeText.iso8601(time)): \(outcome.name)"
                + Self.behind(", ", reason)
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
            Self.passed("\(newer.id.text), with its collapse key, came in its place")
        case .overCap:
            "It was cut: more waited for the device than is kept for one absence, and it was told so."
        case .overCapOrStored: Self.passed("it was cut because more waited than one absence keeps")
        case .purged: "An operator purged it before it was delivered."
        case .purgedOrStored: Self.passed("an operator purged it before")
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

    private static func passed(_ otherwise: String) -> String {
        "The device is past it: it has stored it, or \(otherwise)."
    }

    private static func deferred(until time: Timestamp) -> String {
        "The device's push service asked for a pause: it is tried again at \(TimeText.iso8601(time))."
    }

    /// The end of a sentence, with a cause where there is one.
    private static func behind(_ comma: String, _ cause: String?) -> String {
        cause.map { $0.isEmpty ? "." : "\(comma)\($0)." } ?? "."
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
