import HubModel
import HubTemplates
package import HubVocabulary

/// The requests that FCM's HTTP v1 interface takes, and what its answers mean.
///
/// Source: Firebase's reference of `projects.messages.send` and of `FcmError`.
package enum FirebaseService {
    /// The whole interface is at this host.
    private static let host = "fcm.googleapis.com"

    /// The parts of a notification's requests that are the same for all its devices.
    package struct Form: Sendable {
        let path: String
        let head: RelayHead
        let message: FirebaseMessage.Untargeted

        /// The request for one device.
        ///
        /// - Throws: the verdict on a handle of another service.
        package func request(to handle: ForeignHandle) throws(RelayVerdict) -> RelayRequest {
            let body: [UInt8]
            switch handle {
            case .firebaseToken(let token): body = message.aimed(at: "token", token)
            case .firebaseInstallation(let id): body = message.aimed(at: "fid", id)
            case .apple, .windows, .browser:
                throw RelayVerdict(.content, .badChannel, "no handle of Firebase")
            }
            return RelayRequest(host: FirebaseService.host, path: path, head: head, body: body)
        }
    }

    /// The form of a notification's requests as long as its life has as many seconds.
    ///
    /// - Throws: the verdict that Google would give, without a request.
    package static func form(
        _ notification: RelayNotification,
        credential: FirebaseCredential,
        accessToken: RelaySecret,
        now: Timestamp
    ) throws(RelayVerdict) -> Form {
        var message = try FirebaseMessage(notification.body)
        let left = notification.secondsLeft(now: now)
        message.setLife(seconds: left, expires: notification.lifetime.expires)
        if notification.priority == .high { message.setHighPriority() }
        let token = String(decoding: accessToken.bytes, as: UTF8.self)
        return Form(
            path: "/v1/projects/\(credential.project)/messages:send",
            head: RelayHead([
                ("authorization", "Bearer \(token)"), ("content-type", "application/json"),
            ]),
            message: message.untargeted
        )
    }

    /// The meaning of an answer.
    ///
    /// `otherTook` says whether another device took the same record, so that its content is right.
    package static func verdict(
        _ answer: RelayAnswer,
        otherTook: Bool,
        now: Timestamp
    ) -> RelayVerdict {
        guard answer.status != 200 else { return RelayVerdict(.done, .success) }
        let error = FirebaseError(answer.body)
        return verdict(answer, error, otherTook: otherTook, now: now)
            ?? .other(answer, error.reason, now: now)
    }

    private static func verdict(
        _ answer: RelayAnswer,
        _ error: FirebaseError,
        otherTook: Bool,
        now: Timestamp
    ) -> RelayVerdict? {
        let reason = error.reason
        let retryAfter = answer.retryAfter(now: now)
        switch (answer.status, error.code) {
        case (400, _):
            if error.isAboutDevice || (error.code != nil && error.fields.isEmpty && otherTook) {
                return RelayVerdict(.suspect(mayDelete: true), .badChannel, reason)
            }
            return error.isAboutSize
                ? RelayVerdict(.content, .invalidNotificationSize, reason)
                : RelayVerdict(.content, .invalidNotificationFormat, reason)
        case (401, "THIRD_PARTY_AUTH_ERROR"):
            return RelayVerdict(.content, .invalidCredentials, reason)
        case (401, _): return RelayVerdict(.renew, .invalidToken, reason)
        case (403, "SENDER_ID_MISMATCH"):
            return RelayVerdict(.suspect(mayDelete: false), .wrongToken, reason)
        case (403, _): return RelayVerdict(.credential, .invalidCredentials, reason)
        case (404, "UNREGISTERED"):
            return RelayVerdict(.gone(since: nil), .expiredChannel, reason)
        case (404, _): return RelayVerdict(.credential, .invalidCredentials, reason)
        case (429, _):
            return error.isAboutDevice
                ? RelayVerdict(
                    .later(seconds: max(60, retryAfter ?? 60), most: 3_600),
                    .channelThrottled,
                    reason
                ) : RelayVerdict(.slow(retryAfter: retryAfter ?? 60), .throttled, reason)
        case (500, _): return RelayVerdict(.later(seconds: 10, most: 640), .pnsServerError, reason)
        case (503, _): return RelayVerdict(.stall(retryAfter: retryAfter), .pnsUnavailable, reason)
        default: return nil
        }
    }
}
