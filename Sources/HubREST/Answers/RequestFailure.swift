import HubCore

/// Why a request gets something other than what it asked for.
enum RequestFailure: Error {
    /// The core's word, or a part of the request that cannot be read.
    case refused(Refusal)
    /// No such path; nothing is said about hubs.
    case pathUnknown
    /// The path exists, the method does not.
    case methodNotAllowed(allowed: [String])
    /// The body did not arrive in time.
    case bodyTimeout
    /// A request over HTTP/1 with neither `Content-Length` nor chunks, where a body is needed.
    case lengthRequired
    /// The body broke off, or is none that HTTP knows.
    case bodyBroken
    /// Nobody waits for an answer any more.
    case cancelled

    /// The HTTP status.
    ///
    /// Source: REST §2.6.
    var status: Int {
        switch self {
        case .refused(let refusal): refusal.status
        case .bodyBroken: 400
        case .pathUnknown: 404
        case .methodNotAllowed: 405
        case .bodyTimeout: 408
        case .lengthRequired: 411
        case .cancelled: 499
        }
    }

    /// The sub code.
    ///
    /// Source: REST §2.5.
    var subCode: Int {
        switch self {
        case .refused(let refusal): refusal.subCode
        case .bodyBroken: 40000
        case .pathUnknown: 40400
        case .methodNotAllowed: 40500
        case .bodyTimeout: 40800
        case .lengthRequired: 41100
        case .cancelled: 49900
        }
    }

    /// The sentence for the caller.
    var detail: String {
        switch self {
        case .refused(let refusal): refusal.detail
        case .bodyBroken: "Body: it broke off, or its framing is not HTTP."
        case .pathUnknown: "The requested path is no resource of a notification hub."
        case .methodNotAllowed(let allowed):
            "The method is not allowed here; allowed: \(allowed.joined(separator: ", "))."
        case .bodyTimeout: "The request body did not arrive in time."
        case .lengthRequired:
            "The request has no body: neither Content-Length nor Transfer-Encoding is there."
        case .cancelled: "The request was cancelled."
        }
    }

    /// Whole seconds for `Retry-After`; nil when repeating is no remedy.
    ///
    /// Source: REST §2.4.
    var retryAfterSeconds: Int? {
        guard case .refused(let refusal) = self else { return nil }
        return switch refusal {
        case .throttled(let seconds), .storeUnavailable(let seconds): max(1, seconds)
        case .stopping: 5
        case .storeFull: 60
        case .tokenMissing, .tokenMalformed, .signatureInvalid, .tokenExpired, .audienceMismatch,
            .missingRight, .namespaceRuleNeeded, .hubNotFound, .invalid, .protectedTag,
            .registrationIsGranted,
            .registrationNotFound, .registrationGone, .installationIsGranted, .installationNotFound,
            .hubExists, .notificationNotFound, .notOffered, .scheduleNotFound, .jobNotFound,
            .deviceNotFound,
            .idempotencyConflict,
            .versionMismatch, .tooLarge, .tooMany, .tooManyInRequest,
            .internalError:
            nil
        }
    }
}
