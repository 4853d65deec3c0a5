import HubModel
import HubTemplates
package import HubVocabulary

/// The requests that browsers' push services take, and what their answers mean.
///
/// Source: RFC 8030, 8291, 8292; Mozilla's error numbers from autopush.
package enum BrowserService {
    private static let windowsHost = "notify.windows.com"

    /// The parts of requests to one service that are the same for all devices of a content.
    package struct Form: Sendable {
        fileprivate let head: RelayHead
        fileprivate let text: [UInt8]

        /// The request for one subscription.
        ///
        /// Wipes the key that was drawn.
        /// - Throws: the verdict when what was drawn is no key.
        package func request(
            to address: ServiceAddress,
            key: SubscriberKey,
            secret: [UInt8],
            draw: inout WebPushEncryption.Draw
        ) throws(RelayVerdict) -> RelayRequest {
            var body: [UInt8] = []
            if !text.isEmpty {
                guard
                    let encrypted = WebPushEncryption.encrypt(
                        text,
                        to: key,
                        secret: secret,
                        draw: &draw
                    )
                else { throw RelayVerdict(.again, .unknownError, "a key that is none was drawn") }
                body = encrypted
            }
            return RelayRequest(
                host: address.host,
                port: address.port,
                path: address.path,
                head: head,
                body: body
            )
        }
    }

    /// The form of a notification's requests to one service.
    ///
    /// - Throws: the verdict for a text that is too long.
    package static func form(
        _ notification: RelayNotification,
        to address: ServiceAddress,
        authorization: String,
        now: Timestamp
    ) throws(RelayVerdict) -> Form {
        guard notification.body.count <= WebPushEncryption.textBytesMax else {
            throw RelayVerdict(.content, .invalidNotificationSize, "over 3,993 bytes")
        }
        let left = notification.secondsLeft(now: now)
        var headers: [(name: String, value: String)] = [
            ("authorization", authorization), ("ttl", "\(left)"),
            ("urgency", urgency(notification.priority)),
        ]
        if !notification.collapseKey.isEmpty {
            headers.append(("topic", ShortKey.hashed(notification.collapseKey)))
        }
        if address.host.hasSuffix(windowsHost) {
            headers.append(("x-wns-cache-policy", left == 0 ? "no-cache" : "cache"))
        }
        if !notification.body.isEmpty {
            headers += [
                ("content-encoding", "aes128gcm"), ("content-type", "application/octet-stream"),
            ]
        }
        return Form(head: RelayHead(headers), text: notification.body)
    }

    /// The meaning of an answer.
    package static func verdict(_ answer: RelayAnswer, now: Timestamp) -> RelayVerdict {
        let retryAfter = answer.retryAfter(now: now)
        let (number, reason) = error(answer)
        switch answer.status {
        case 200, 201, 202, 204: return RelayVerdict(.done, .success)
        case 300..<400: return RelayVerdict(.suspect(mayDelete: true), .badChannel, "redirect")
        case 400, 401, 403:
            if isAboutSubscription(reason) {
                return RelayVerdict(.suspect(mayDelete: true), .wrongToken, reason)
            }
            let isAboutToken = number == 109 || answer.status != 400 || isAboutVapid(reason)
            return isAboutToken
                ? RelayVerdict(.renew, .invalidCredentials, reason)
                : RelayVerdict(.content, .invalidNotificationFormat, reason)
        case 404: return RelayVerdict(.suspect(mayDelete: true), .badChannel, reason)
        case 410: return RelayVerdict(.gone(since: nil), .expiredChannel, reason)
        case 413: return RelayVerdict(.content, .invalidNotificationSize, reason)
        case 429:
            return retryAfter.map { RelayVerdict(.slow(retryAfter: $0), .throttled, reason) }
                ?? RelayVerdict(.later(seconds: 60, most: 3_600), .throttled, reason)
        case 500, 502, 503, 504:
            return RelayVerdict(
                .stall(retryAfter: retryAfter),
                answer.status == 503 ? .pnsUnavailable : .pnsServerError,
                reason
            )
        default: return .other(answer, reason, now: now)
        }
    }

    private static func urgency(_ priority: NotificationPriority) -> String {
        switch priority {
        case .veryLow: "very-low"
        case .low: "low"
        case .normal: "normal"
        case .high: "high"
        }
    }

    /// Mozilla's number and the word of the service: in JSON, a header, or as plain text.
    private static func error(_ answer: RelayAnswer) -> (number: UInt64?, reason: String) {
        if let header = answer["x-wns-error-description"] { return (nil, header) }
        // Most services answer without JSON; then the text itself is the reason.
        guard let tree = try? JSONTree(json: answer.body.span, depthMax: RelayAnswer.depthMax),
            case .object = tree
        else { return (nil, String(decoding: answer.body.prefix(64), as: UTF8.self)) }
        var number: UInt64?
        if case .number(let digits)? = tree.member("errno") { number = ASCII.decimal(digits) }
        for name in ["reason", "message", "error"] {
            if case .string(let text)? = tree.member(name) {
                return (number, String(decoding: text, as: UTF8.self))
            }
        }
        return (number, "")
    }

    private static func isAboutSubscription(_ reason: String) -> Bool {
        ["VapidPkHashMismatch", "VAPID credentials in the authorization header do not correspond"]
            .contains { reason.hasPrefix($0) }
    }

    private static func isAboutVapid(_ reason: String) -> Bool {
        ["BadJwtToken", "UnauthorizedRegistration", "ExpiredJwtToken", "BadAuthorizationHeader"]
            .contains { reason.hasPrefix($0) }
    }
}
