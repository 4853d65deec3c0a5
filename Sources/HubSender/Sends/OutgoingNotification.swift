import FoundationEssentials
import HubVocabulary
public import HubWire
import Synchronization

/// A notification to send.
public struct OutgoingNotification: Equatable, Sendable {
    /// Which registrations it reaches.
    public enum Format: Equatable, Sendable {
        /// Template registrations of every platform, each in its own form.
        case template
        /// Native registrations of one platform; the body reaches them unchanged.
        case native(Platform)

        /// The value of `ServiceBusNotification-Format`.
        public var headerValue: String {
            switch self {
            case .template: "template"
            case .native(let platform): platform.format
            }
        }
    }

    /// Which registrations it reaches.
    public var format: Format
    /// The payload, or the JSON object of template properties.
    public var body: [UInt8]
    /// Media type of the body.
    public var contentType: String
    /// Tag or tag expression; nil reaches everyone.
    public var tags: String?
    /// The push handle that it goes to, whatever its registrations; then there can be no tags.
    public var handle: String?
    /// Further headers, such as `apns-collapse-id` or `X-WNS-Type`, in order.
    public var headers: [NotificationHeader] = []
    /// The same key with the same body is the same notification for 24 hours.
    public var idempotencyKey: String

    /// A payload for the native registrations of a platform.
    public static func native(
        _ platform: Platform,
        body: [UInt8],
        tags: String? = nil
    ) -> OutgoingNotification {
        OutgoingNotification(
            format: .native(platform),
            body: body,
            contentType: platform == .windows || platform == .windowsPhone
                ? "application/xml" : "application/json;charset=utf-8",
            tags: tags,
            idempotencyKey: newIdempotencyKey()
        )
    }

    /// Properties for the template registrations of every platform.
    public static func template(
        _ properties: [String: String],
        tags: String? = nil
    ) -> OutgoingNotification {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Every string is JSON; only numbers that are not finite are not.
        guard let body = try? encoder.encode(properties) else {
            preconditionFailure("a dictionary of strings is JSON")
        }
        return template(json: Array(body), tags: tags)
    }

    /// A JSON object of properties, as text.
    public static func template(json body: [UInt8], tags: String? = nil) -> OutgoingNotification {
        OutgoingNotification(
            format: .template,
            body: body,
            contentType: "application/json;charset=utf-8",
            tags: tags,
            idempotencyKey: newIdempotencyKey()
        )
    }

    /// Returns a key that no other sender makes: 32 random hexadecimal digits.
    public static func newIdempotencyKey() -> String {
        random.withLock { random in
            String(UInt64.random(in: 1 << 60...UInt64.max, using: &random), radix: 16)
                + String(UInt64.random(in: 1 << 60...UInt64.max, using: &random), radix: 16)
        }
    }

    private static let random = Mutex(RandomPool(drawnFrom: SystemRandomNumberGenerator()))
}
