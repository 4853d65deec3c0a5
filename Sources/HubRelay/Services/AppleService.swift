import HubModel
import HubTemplates
package import HubVocabulary

/// The requests that Apple's push service takes, and what its answers mean.
///
/// Source: Apple's "Sending notification requests to APNs" and "Handling notification responses".
package enum AppleService {
    /// Bytes of a collapse id at most.
    private static let collapseBytesMax = 64
    /// Nesting of a payload at most.
    private static let depthMax = 64

    /// The parts of a notification's requests that are the same for all its devices.
    package struct Form: Sendable {
        let host: String
        let head: RelayHead
        let body: [UInt8]

        /// The request for one device.
        package func request(to token: String, _ identifier: RelayIdentifier) -> RelayRequest {
            RelayRequest(
                host: host,
                path: "/3/device/" + token,
                head: head,
                identifier: ("apns-id", identifier.uuid),
                body: body
            )
        }
    }

    /// The form of a notification's requests.
    ///
    /// `authorization` is the provider token; nil when a client certificate proves the hub.
    /// - Throws: the verdict that Apple would give, without a request.
    package static func form(
        _ notification: RelayNotification,
        credential: AppleCredential,
        authorization: String?
    ) throws(RelayVerdict) -> Form {
        let (topic, type) = try topic(notification, bundle: credential.topic)
        guard notification.body.count <= type.payloadBytesMax else {
            throw RelayVerdict(.content, .invalidNotificationSize, "PayloadTooLarge")
        }
        guard !notification.body.isEmpty else {
            throw RelayVerdict(.content, .invalidNotificationFormat, "PayloadEmpty")
        }
        var headers: [(name: String, value: String)] = []
        if let authorization { headers.append(("authorization", "bearer \(authorization)")) }
        headers += [
            ("apns-topic", topic), ("apns-push-type", type.rawValue),
            ("apns-priority", try priority(notification, type)),
            ("apns-expiration", "\(expiration(notification))"),
        ]
        if let collapse = collapseID(notification) {
            headers.append(("apns-collapse-id", collapse))
        }
        return Form(
            host: credential.environment.host,
            head: RelayHead(headers),
            body: notification.body
        )
    }

    /// The meaning of an answer; `notification` is the one that was sent.
    package static func verdict(
        _ answer: RelayAnswer,
        to notification: RelayNotification,
        now: Timestamp
    ) -> RelayVerdict {
        guard answer.status != 200 else { return RelayVerdict(.done, .success) }
        let tree = document(answer.body)
        var reason = ""
        if case .string(let text)? = tree?.member("reason") {
            reason = String(decoding: text, as: UTF8.self)
        }
        return verdict(answer, reason, since: since(tree), notification, now: now)
            ?? .other(answer, reason, now: now)
    }

    private static func verdict(
        _ answer: RelayAnswer,
        _ reason: String,
        since: Timestamp?,
        _ notification: RelayNotification,
        now: Timestamp
    ) -> RelayVerdict? {
        switch (answer.status, reason) {
        case (400, "BadDeviceToken"):
            RelayVerdict(.suspect(mayDelete: true), .badChannel, reason)
        case (400, "DeviceTokenNotForTopic"):
            RelayVerdict(.suspect(mayDelete: false), .wrongChannel, reason)
        case (400, "BadCollapseId"), (400, "BadExpirationDate"), (400, "BadPriority"),
            (400, "InvalidPushType"), (400, "BadMessageId"), (400, "DuplicateHeaders"):
            RelayVerdict(
                isSenders(reason, notification) ? .content : .malformed,
                .invalidNotificationFormat,
                reason
            )
        case (400, "BadTopic"), (400, "MissingTopic"), (400, "TopicDisallowed"):
            notification.header("apns-topic") != nil
                ? RelayVerdict(.content, .invalidNotificationFormat, reason)
                : RelayVerdict(.credential, .invalidCredentials, reason)
        case (400, "MissingDeviceToken"), (400, "PayloadEmpty"):
            RelayVerdict(.malformed, .invalidNotificationFormat, reason)
        case (400, "IdleTimeout"), (503, "Shutdown"): RelayVerdict(.again, .pnsUnavailable, reason)
        case (403, "ExpiredProviderToken"), (403, "MissingProviderToken"):
            RelayVerdict(.renew, .invalidToken, reason)
        case (403, _): RelayVerdict(.credential, .invalidCredentials, reason)
        case (404, _), (405, _): RelayVerdict(.malformed, .pnsInterfaceError, reason)
        case (410, "Unregistered"), (410, "ExpiredToken"):
            RelayVerdict(.gone(since: since), .expiredChannel, reason)
        case (413, _): RelayVerdict(.content, .invalidNotificationSize, reason)
        case (429, "TooManyProviderTokenUpdates"):
            RelayVerdict(
                .keepOlderToken(seconds: AppleTokenSource.pauseSeconds),
                .throttled,
                reason
            )
        case (429, _): RelayVerdict(.later(seconds: 60, most: 3_600), .channelThrottled, reason)
        case (500, _): RelayVerdict(.later(seconds: 2, most: 64), .pnsServerError, reason)
        case (503, _):
            RelayVerdict(
                .stall(retryAfter: answer.retryAfter(now: now)),
                .pnsUnavailable,
                reason
            )
        default: nil
        }
    }

    /// Topic and kind of a notification; a send may name another topic of the same app.
    ///
    /// - Throws: `.content` for a topic of another app or an unknown kind.
    package static func topic(
        _ notification: RelayNotification,
        bundle: String
    ) throws(RelayVerdict) -> (topic: String, type: ApplePushType) {
        var type: ApplePushType?
        if let word = notification.header("apns-push-type") {
            type = ApplePushType(rawValue: word.lowercased())
            guard type != nil else {
                throw RelayVerdict(.content, .invalidNotificationFormat, "InvalidPushType")
            }
        }
        guard let topic = notification.header("apns-topic") else {
            let found = type ?? (isBackground(notification.body) ? .background : .alert)
            return (bundle + found.topicSuffix, found)
        }
        guard let implied = ApplePushType(topic: topic, bundle: bundle) else {
            throw RelayVerdict(.content, .invalidNotificationFormat, "TopicDisallowed")
        }
        let isBare = implied.topicSuffix.isEmpty
        return (topic, type ?? (isBare && isBackground(notification.body) ? .background : implied))
    }

    /// Content without anything that shows or sounds.
    private static func isBackground(_ body: [UInt8]) -> Bool {
        guard let aps = document(body)?.member("aps") else { return false }
        return aps.member("content-available") == .number([UInt8(ascii: "1")])
            && ["alert", "badge", "sound"].allSatisfy { aps.member($0) == nil }
    }

    private static func priority(
        _ notification: RelayNotification,
        _ type: ApplePushType
    ) throws(RelayVerdict) -> String {
        if type == .background { return "5" }
        guard let given = notification.header("apns-priority") else {
            switch notification.priority {
            case .high, .normal: return "10"
            case .low: return "5"
            case .veryLow: return "1"
            }
        }
        guard ["10", "5", "1"].contains(given) else {
            throw RelayVerdict(.content, .invalidNotificationFormat, "BadPriority")
        }
        return given
    }

    /// Seconds since 1970; 0 is now or never, and is said: without the header Apple stores it.
    private static func expiration(_ notification: RelayNotification) -> UInt64 {
        notification.lifetime.isTransient
            ? 0 : max(1, notification.lifetime.expires.milliseconds / 1_000)
    }

    private static func collapseID(_ notification: RelayNotification) -> String? {
        if let given = notification.header("apns-collapse-id") { return given }
        let key = notification.collapseKey
        guard !key.isEmpty else { return nil }
        return key.count <= collapseBytesMax && PlainText.isVisibleASCII(key)
            ? String(decoding: key, as: UTF8.self) : ShortKey.hashed(key)
    }

    /// Whether the send itself brought the header that a reason is about.
    private static func isSenders(_ reason: String, _ notification: RelayNotification) -> Bool {
        let name =
            switch reason {
            case "BadCollapseId": "apns-collapse-id"
            case "BadPriority": "apns-priority"
            case "InvalidPushType": "apns-push-type"
            default: ""
            }
        return notification.header(name) != nil
    }

    private static func since(_ tree: JSONTree?) -> Timestamp? {
        guard case .number(let digits)? = tree?.member("timestamp") else { return nil }
        return ASCII.decimal(digits).map { Timestamp(milliseconds: $0) }
    }

    /// A JSON text; nil when it is none.
    private static func document(_ body: [UInt8]) -> JSONTree? {
        // Why it is none does not matter: Apple says so, or the answer has no reason.
        try? JSONTree(json: body.span, depthMax: depthMax)
    }
}
