package import HubVocabulary

/// Why a request gets something other than what it asked for.
package indirect enum RequestFailure: Error {
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
    /// The range of a blob begins behind its end.
    case rangeBehindEnd(bytes: Int)
    /// The same in the words of blob storage, whose clients read no others.
    case ofStorage(RequestFailure)
    /// A node that leads no hub cannot have it answered; the sentence says why.
    case unled(String)
    /// The client no longer waits for an answer.
    case cancelled

    /// The HTTP status.
    ///
    /// Source: REST §2.6.
    package var status: Int {
        switch self {
        case .refused(let refusal): refusal.status
        case .bodyBroken: 400
        case .pathUnknown: 404
        case .methodNotAllowed: 405
        case .bodyTimeout: 408
        case .lengthRequired: 411
        case .rangeBehindEnd: 416
        case .ofStorage(let failure): failure.status
        case .unled: 503
        case .cancelled: 499
        }
    }

    /// The sub code.
    ///
    /// Source: REST §2.5.
    package var subCode: Int {
        switch self {
        case .refused(let refusal): refusal.subCode
        case .bodyBroken: 40000
        case .pathUnknown: 40400
        case .methodNotAllowed: 40500
        case .bodyTimeout: 40800
        case .lengthRequired: 41100
        case .rangeBehindEnd: 41600
        case .ofStorage(let failure): failure.subCode
        case .unled: 50300
        case .cancelled: 49900
        }
    }

    /// The sentence for the caller.
    package var detail: String {
        switch self {
        case .refused(let refusal): refusal.detail
        case .bodyBroken: "Body: it broke off, or its framing is not HTTP."
        case .pathUnknown: "The requested path is no resource of a notification hub."
        case .methodNotAllowed(let allowed):
            "The method is not allowed here; allowed: \(allowed.joined(separator: ", "))."
        case .bodyTimeout: "The request body did not arrive in time."
        case .lengthRequired:
            "The request has no body: neither Content-Length nor Transfer-Encoding is there."
        case .rangeBehindEnd(let bytes): "Range: the blob has only \(bytes) bytes."
        case .ofStorage(let failure): failure.detail
        case .unled(let reason): reason
        case .cancelled: "The request was cancelled."
        }
    }

    /// The code of blob storage that says the same; nil where clients expect our own.
    ///
    /// Source: REST §12.
    var storageCode: String? {
        guard case .ofStorage(let failure) = self else { return nil }
        return switch failure.status {
        case 400: "InvalidQueryParameterValue"
        case 403: "AuthenticationFailed"
        case 404: "BlobNotFound"
        case 416: "InvalidRange"
        case 429, 503: "ServerBusy"
        default: "InternalError"
        }
    }

    /// Whole seconds for `Retry-After`; nil when repeating is no remedy.
    ///
    /// Source: REST §2.4.
    package var retryAfterSeconds: Int? {
        if case .ofStorage(let failure) = self { return failure.retryAfterSeconds }
        if case .unled = self { return 1 }
        guard case .refused(let refusal) = self else { return nil }
        return switch refusal {
        case .throttled(let seconds), .storeUnavailable(let seconds),
            .storeUnanswered(let seconds), .tooFast(_, _, let seconds):
            max(1, seconds)
        case .stopping: 5
        case .storeFull: 60
        case .tokenMissing, .tokenMalformed, .signatureInvalid, .tokenExpired, .audienceMismatch,
            .missingRight, .namespaceRuleNeeded, .hubNotFound, .invalid, .protectedTag,
            .registrationIsGranted,
            .registrationNotFound, .registrationGone, .installationIsGranted, .installationNotFound,
            .hubExists, .credentialChanged, .notificationNotFound, .linkRefused, .feedbackNotFound,
            .scheduleNotFound,
            .jobNotFound,
            .deviceNotFound,
            .idempotencyConflict,
            .versionMismatch, .tooLarge, .tooMany, .tooManyInRequest,
            .internalError:
            nil
        }
    }
}

extension Refusal {
    /// A continuation token that was cut, mixed up or made up.
    static let foreignToken = Refusal.invalid(
        field: "ContinuationToken",
        reason: "is not one that this list gave out."
    )
}
