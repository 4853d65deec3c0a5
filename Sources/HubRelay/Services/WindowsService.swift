import HubModel
package import HubVocabulary

/// The requests that the Windows push service takes, and what its answers mean.
///
/// Source: Microsoft's "Push notification service request and response headers".
package enum WindowsService {
    /// Bytes of a payload at most.
    private static let payloadBytesMax = 5_000

    /// The request for one channel.
    ///
    /// - Throws: the verdict for a payload that is too large.
    package static func request(
        _ notification: RelayNotification,
        to address: ServiceAddress,
        accessToken: RelaySecret,
        now: Timestamp
    ) throws(RelayVerdict) -> RelayRequest {
        guard notification.body.count <= payloadBytesMax else {
            throw RelayVerdict(.content, .invalidNotificationSize, "over 5,000 bytes")
        }
        guard let type = notification.header("x-wns-type")?.lowercased(),
            ["wns/toast", "wns/tile", "wns/badge", "wns/raw"].contains(type)
        else { throw RelayVerdict(.content, .invalidNotificationFormat, "X-WNS-Type") }
        let left = notification.secondsLeft(now: now)
        let token = String(decoding: accessToken.bytes, as: UTF8.self)
        var headers: [(name: String, value: String)] = [
            ("authorization", "Bearer \(token)"), ("x-wns-type", type),
            ("content-type", type == "wns/raw" ? "application/octet-stream" : "text/xml"),
            ("x-wns-requestforstatus", "true"),
        ]
        headers.append(
            ("x-wns-cache-policy", left == 0 ? "no-cache" : cachePolicy(notification))
        )
        if left > 0 { headers.append(("x-wns-ttl", "\(left)")) }
        headers += passed(notification)
        return RelayRequest(
            host: address.host,
            port: address.port,
            path: address.path,
            headers: headers,
            body: notification.body
        )
    }

    /// The meaning of an answer; 200 alone does not mean that a channel took it.
    package static func verdict(_ answer: RelayAnswer, now: Timestamp) -> RelayVerdict {
        let reason = answer["x-wns-error-description"] ?? ""
        let retryAfter = answer.retryAfter(now: now)
        switch answer.status {
        case 200:
            let status = answer["x-wns-notificationstatus"] ?? answer["x-wns-status"] ?? "received"
            switch status.lowercased() {
            case "dropped": return RelayVerdict(.content, .dropped, status)
            case "channelthrottled":
                return RelayVerdict(.later(seconds: 600, most: 9_600), .channelThrottled, status)
            default: return RelayVerdict(.done, .success)
            }
        case 400: return RelayVerdict(.content, .invalidNotificationFormat, reason)
        case 401: return RelayVerdict(.renew, .invalidToken, reason)
        case 403: return RelayVerdict(.suspect(mayDelete: false), .wrongToken, reason)
        case 404: return RelayVerdict(.suspect(mayDelete: true), .badChannel, reason)
        case 405: return RelayVerdict(.malformed, .pnsInterfaceError, reason)
        case 406, 429: return RelayVerdict(.slow(retryAfter: retryAfter ?? 60), .throttled, reason)
        case 410: return RelayVerdict(.gone(since: nil), .expiredChannel, reason)
        case 413: return RelayVerdict(.content, .invalidNotificationSize, reason)
        case 500: return RelayVerdict(.later(seconds: 10, most: 640), .pnsServerError, reason)
        case 503:
            return RelayVerdict(.stall(retryAfter: retryAfter), .pnsUnavailable, reason)
        default: return .other(answer, reason, now: now)
        }
    }

    private static func cachePolicy(_ notification: RelayNotification) -> String {
        notification.header("x-wns-cache-policy")?.lowercased() == "no-cache" ? "no-cache" : "cache"
    }

    /// Headers that the sender may give, in their order; priority also from the hub's own.
    private static func passed(
        _ notification: RelayNotification
    ) -> [(name: String, value: String)] {
        var headers = ["x-wns-tag", "x-wns-group", "x-wns-suppresspopup", "x-wns-match"].compactMap
        {
            name in
            notification.header(name).map { (name: name, value: $0) }
        }
        if let given = notification.header("x-wns-priority") {
            headers.append(("x-wns-priority", given))
        } else if notification.priority != .normal {
            let word =
                switch notification.priority {
                case .veryLow: "Very-Low"
                case .low: "Low"
                case .normal: "Medium"
                case .high: "High"
                }
            headers.append(("x-wns-priority", word))
        }
        return headers
    }
}
