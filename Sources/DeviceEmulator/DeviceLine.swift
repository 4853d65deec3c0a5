import FoundationEssentials
package import HubClient
import HubVocabulary

/// One line of `belfry device --json`: the member `event` says which, the others depend on it.
package enum DeviceLine: Equatable, Sendable {
    /// The device has a session.
    case connected(Connected)
    /// The hub has confirmed a registration.
    case registered(Registered)
    /// A notification has arrived.
    case notification(Notification)
    /// Notifications are lost.
    case gap(Gap)
    /// A connection has ended.
    case disconnected(Disconnected)
    /// Something went wrong.
    case error(message: String)

    /// A session, and what became of the device's position.
    package struct Connected: Codable, Equatable, Sendable {
        /// The hub's answer to the position: `fresh`, `resumed`, `gap`, `reset`.
        package var outcome: String
        /// The position.
        package var seq: UInt64
        /// The device's id.
        package var device: String
        /// The push handle, only when it was asked for.
        package var handle: String?
    }

    /// A registration.
    package struct Registered: Codable, Equatable, Sendable {
        /// Its slot.
        package var registration: UInt16
        /// Its platform, as a word of `--platform`.
        package var platform: String
        /// Its tags.
        package var tags: [String]
        /// Whether it is a template registration.
        package var template: Bool
        /// Whether the hub had it already.
        package var unchanged: Bool
    }

    /// A notification, with `payload` when it is UTF-8 text and `payloadBase64` otherwise.
    package struct Notification: Codable, Equatable, Sendable {
        /// Its id in the form of a UUID.
        package var id: String
        /// Its place in the log, missing when it is transient.
        package var seq: UInt64?
        /// The registration's slot.
        package var registration: UInt16
        /// The registration's platform, as a word of `--platform`.
        package var platform: String?
        /// The registration's tags, where they are known.
        package var tags: [String]?
        /// Whether a template registration is meant.
        package var template: Bool
        /// Headers of the send that travel to the device.
        package var headers: [String: String]?
        /// A newer notification with the same key replaces this one.
        package var collapseKey: String?
        /// The payload as text.
        package var payload: String?
        /// The payload as base64, when it is not text.
        package var payloadBase64: String?
        /// When the device received it: RFC 3339 in UTC with milliseconds.
        package var receivedAt: String
    }

    /// A loss that the hub has announced.
    package struct Gap: Codable, Equatable, Sendable {
        /// Why they are lost.
        package var reason: String
        /// How many; missing when the hub does not know.
        package var lost: Int?
        /// The position behind them.
        package var seq: UInt64
    }

    /// The end of a connection.
    package struct Disconnected: Codable, Equatable, Sendable {
        /// Why it ended.
        package var reason: String
        /// Milliseconds until the device comes back; missing when it stays away.
        package var retryInMilliseconds: UInt64?
    }

    /// The line for an event; nil for events that are not shown.
    ///
    /// `handle` is shown with `connected`.
    package init?(_ event: DeviceEvent, handle: String? = nil) {
        switch event {
        case .connected(let opening):
            self = .connected(
                Connected(
                    outcome: opening.outcomeName,
                    seq: opening.sequence,
                    device: opening.deviceID.uuidText,
                    handle: handle
                )
            )
        case .registered(let choice, let isUnchanged):
            self = .registered(
                Registered(
                    registration: choice.slot,
                    platform: choice.platform.commandLineName,
                    tags: choice.tags,
                    template: choice.template != nil,
                    unchanged: isUnchanged
                )
            )
        case .notification(let notification): self = .notification(Notification(notification))
        case .gap(let notice):
            self = .gap(
                Gap(reason: notice.reason.rawValue, lost: notice.lost, seq: notice.position)
            )
        case .disconnected(let departure, let delay):
            let milliseconds = delay?.wholeMilliseconds
            self = .disconnected(
                Disconnected(reason: departure.label, retryInMilliseconds: milliseconds)
            )
        case .fault(.refused(let refusal)):
            self = .error(message: "\(refusal.request) refused: \(refusal.reason)")
        case .fault(let fault): self = .error(message: fault.description)
        case .unregistered, .upToDate: return nil
        }
    }

    /// A wait in seconds, with a tenth where that matters.
    package static func seconds(_ milliseconds: UInt64) -> String {
        guard milliseconds < 10_000 else { return "\((milliseconds + 500) / 1_000) s" }
        return "\(milliseconds / 1_000).\(milliseconds % 1_000 / 100) s"
    }

    /// The line for people.
    package var text: String {
        switch self {
        case .connected(let line):
            "connected as \(line.device)"
                + (line.outcome == "fresh" ? "" : " (\(line.outcome))")
                + (line.handle.map { "\npush handle \($0)" } ?? "")
        case .registered(let line):
            "subscribed: " + line.platform + (line.template ? " template" : "")
                + line.tags.map { ", " + $0 }.joined()
        case .notification(let line):
            "[\(line.receivedAt)] \(line.platform ?? "to its handle")  "
                + (line.payload ?? line.payloadBase64 ?? "")
        case .gap(let line):
            "notifications lost: " + (line.lost.map(String.init) ?? "unknown number")
                + ", \(line.reason)"
        case .disconnected(let line):
            "disconnected: \(line.reason)"
                + (line.retryInMilliseconds.map { ", next try in \(Self.seconds($0))" }
                    ?? ", staying away")
        case .error(let message): "error: \(message)"
        }
    }
}

extension DeviceLine.Notification {
    fileprivate init(_ notification: ReceivedNotification) {
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
            payloadBase64 = Base64.encode(notification.payload)
        }
        // The format cuts what is behind the millisecond, and a quotient may lie just before it.
        let milliseconds = Double(notification.receivedAtMilliseconds) + 0.5
        receivedAt = Date(timeIntervalSince1970: milliseconds / 1_000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
