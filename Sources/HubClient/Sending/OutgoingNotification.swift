import FoundationEssentials

/// A notification to send.
package struct OutgoingNotification: Equatable, Sendable {
    /// Which registrations it reaches.
    package enum Format: Equatable, Sendable {
        /// Template registrations of every platform, each in its own form.
        case template
        /// Native registrations of one platform; the body reaches them unchanged.
        case native(DevicePlatform)

        /// The value of `ServiceBusNotification-Format`.
        package var headerValue: String {
            switch self {
            case .template: "template"
            case .native(let platform): platform.format
            }
        }
    }

    /// Which registrations it reaches.
    package var format: Format
    /// The payload, or the JSON object of template properties.
    package var body: [UInt8]
    /// Media type of the body.
    package var contentType: String
    /// Tag or tag expression; nil reaches everyone.
    package var tags: String?
    /// Further headers, such as `apns-collapse-id` or `X-WNS-Type`, in order.
    package var headers: [ReceivedNotification.Header] = []
    /// The same key with the same body is the same notification for 24 hours.
    package var idempotencyKey: String

    /// A payload for the native registrations of a platform.
    package static func native(
        _ platform: DevicePlatform,
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
    package static func template(
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
    package static func template(json body: [UInt8], tags: String? = nil) -> OutgoingNotification {
        OutgoingNotification(
            format: .template,
            body: body,
            contentType: "application/json;charset=utf-8",
            tags: tags,
            idempotencyKey: newIdempotencyKey()
        )
    }

    /// A key that nobody else makes: 32 random hexadecimal digits.
    package static func newIdempotencyKey() -> String {
        String(UInt64.random(in: 1 << 60...UInt64.max), radix: 16)
            + String(UInt64.random(in: 1 << 60...UInt64.max), radix: 16)
    }
}

/// What the hub answered to an accepted notification.
package struct SentNotification: Equatable, Sendable {
    /// The notification's id, from `Location`.
    package var id: String
    /// Where its outcome can be asked for.
    package var location: String
    /// The HTTP status, 201.
    package var status: Int
    /// The request's tracking id, for support; empty when the hub sent none.
    package var trackingID: String

    /// An answer of its parts.
    package init(id: String, location: String, status: Int, trackingID: String) {
        self.id = id
        self.location = location
        self.status = status
        self.trackingID = trackingID
    }

    /// The name under which devices receive it; nil when `id` does not begin with one.
    package var identifier: NotificationIdentifier? {
        NotificationIdentifier(uuidText: String(id.prefix { $0 != "-" }))
            ?? NotificationIdentifier(uuidText: String(id.prefix(36)))
    }
}
