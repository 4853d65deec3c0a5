import FoundationEssentials
package import HubClient

/// One line of `belfry device --json`.
///
/// `event` is `connected`, `registered`, `notification`, `gap`, `disconnected` or `error`; the other
/// members depend on it. A notification carries `payload` when it is UTF-8 text and
/// `payloadBase64` otherwise.
package struct DeviceLine: Codable, Equatable, Sendable {
    /// What happened.
    package var event: String
    /// Of a notification: its id in the form of a UUID.
    package var id: String?
    /// Of a notification: its place in the log, missing when it is transient; otherwise the position.
    package var seq: UInt64?
    /// The registration's slot.
    package var registration: UInt16?
    /// The registration's platform, as a word of `--platform`.
    package var platform: String?
    /// The registration's tags, where they are known.
    package var tags: [String]?
    /// Whether a template registration is meant.
    package var template: Bool?
    /// Headers of the send that travel to the device.
    package var headers: [String: String]?
    /// A newer notification with the same key replaces this one.
    package var collapseKey: String?
    /// The payload as text.
    package var payload: String?
    /// The payload as base64, when it is not text.
    package var payloadBase64: String?
    /// When the device received it: RFC 3339 in UTC with milliseconds.
    package var receivedAt: String?
    /// What became of the position: `fresh`, `resumed`, `gap`, `reset`.
    package var outcome: String?
    /// The device's id.
    package var device: String?
    /// The push handle, only when it was asked for.
    package var handle: String?
    /// Whether the hub had the registration already.
    package var unchanged: Bool?
    /// How many notifications are lost; missing when the hub does not know.
    package var lost: Int?
    /// Why something ended or was lost.
    package var reason: String?
    /// Milliseconds until the device comes back; missing when it stays away.
    package var retryInMilliseconds: UInt64?
    /// What went wrong.
    package var message: String?

    private init(event: String) { self.event = event }

    /// The line for an event; nil for events that are not shown.
    package init?(_ event: DeviceEvent) {
        switch event {
        case .connected(let opening):
            self.init(event: "connected")
            outcome = opening.outcomeName
            seq = opening.sequence
            device = opening.deviceID.uuidText
        case .registered(let choice, let isUnchanged):
            self.init(event: "registered")
            registration = choice.slot
            platform = choice.platform.commandLineName
            tags = choice.tags
            template = choice.template != nil
            unchanged = isUnchanged
        case .notification(let notification):
            self.init(notification)
        case .gap(let notice):
            self.init(event: "gap")
            reason = notice.reason.rawValue
            lost = notice.lost
            seq = notice.position
        case .disconnected(let departure, let delay):
            self.init(event: "disconnected")
            reason = departure.label
            retryInMilliseconds = delay?.wholeMilliseconds
        case .fault(let fault):
            self.init(event: "error")
            message = fault.description
        case .unregistered, .upToDate: return nil
        }
    }

    private init(_ notification: ReceivedNotification) {
        self.init(event: "notification")
        id = notification.id.uuidText
        seq = notification.sequence
        registration = notification.slot
        platform = notification.platform?.commandLineName
        tags = notification.tags.isEmpty ? nil : notification.tags
        template = notification.isTemplate
        if !notification.headers.isEmpty {
            headers = Dictionary(
                notification.headers.map { ($0.name, $0.value) },
                uniquingKeysWith: { first, _ in first }
            )
        }
        collapseKey = notification.collapseKey.isEmpty ? nil : notification.collapseKey
        if let text = notification.text {
            payload = text
        } else {
            payloadBase64 = Data(notification.payload).base64EncodedString()
        }
        receivedAt = Self.time(notification.receivedAtMilliseconds)
    }

    /// The line as JSON, without a line break.
    package var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Only numbers that are not finite have no JSON, and there is none of floating point.
        guard let data = try? encoder.encode(self) else {
            preconditionFailure("a line holds only what JSON can hold")
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// The line for people.
    package var text: String {
        switch event {
        case "connected": "connected (\(outcome ?? "")), position \(seq ?? 0)"
        case "registered":
            "subscribed: slot \(registration ?? 0), \(platform ?? ""), "
                + (tags ?? []).joined(separator: ", ")
        case "notification":
            "[\(receivedAt ?? "")] slot \(registration ?? 0) \(platform ?? "")  "
                + (payload ?? payloadBase64 ?? "")
        case "gap":
            "notifications lost: " + (lost.map(String.init) ?? "unknown number") + ", "
                + (reason ?? "")
        case "disconnected":
            "disconnected: \(reason ?? "")"
                + (retryInMilliseconds.map { ", back in \($0) ms" } ?? ", staying away")
        default: "error: \(message ?? "")"
        }
    }

    /// RFC 3339 in UTC with milliseconds.
    static func time(_ milliseconds: UInt64) -> String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1_000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
