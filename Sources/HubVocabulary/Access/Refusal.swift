/// Why a command was not carried out, with what a caller needs to correct it.
///
/// REST turns it into status, code and detail; never holds a secret, handle or payload.
package enum Refusal: Error, Hashable, Sendable {
    /// No `Authorization` header (40102).
    case tokenMissing
    /// Not a SharedAccessSignature, or a part is missing or unreadable (40105).
    case tokenMalformed(reason: String)
    /// Wrong signature or unknown rule; one answer for both (40103).
    case signatureInvalid
    /// The token's `se` has passed (40106).
    case tokenExpired
    /// The token's `sr` does not cover the request (40104).
    case audienceMismatch
    /// The rule lacks a right.
    case missingRight(AccessRight)
    /// The rule has the right, but is one of a hub, and the operation is the namespace's.
    case namespaceRuleNeeded(AccessRight)
    /// No such hub.
    case hubNotFound(name: String)
    /// There is a hub with this name already.
    case hubExists(name: String)
    /// A credential was changed after its description was read.
    case credentialChanged(field: String)
    /// A header, element or field is wrong; names it and says why.
    case invalid(field: String, reason: String)
    /// A protected tag was set by a token without Manage, or by a device.
    case protectedTag(String)
    /// A Listen token may not change a registration that carries granted tags.
    case registrationIsGranted
    /// A Listen token may not change an installation with a user or protected tags of the backend.
    case installationIsGranted
    /// No such installation.
    case installationNotFound
    /// No such registration.
    case registrationNotFound
    /// The registration id was deleted and cannot be used again.
    case registrationGone
    /// No such notification, or it is no longer kept.
    case notificationNotFound
    /// The feedback container has no such blob, or no longer.
    case feedbackNotFound
    /// The address is its own permission, and not or no longer a valid one.
    case linkRefused(reason: String)
    /// `If-Match` does not fit.
    case versionMismatch
    /// No scheduled notification with this id waits: it is unknown, was cancelled, or was sent.
    case scheduleNotFound
    /// The hub knows no such device.
    case deviceNotFound
    /// No bulk job with this id is kept.
    case jobNotFound
    /// The idempotency key stands for another notification.
    case idempotencyConflict
    /// A size limit; `field` names what was too large.
    case tooLarge(field: String, bytes: Int, limit: Int)
    /// A count limit of a device, handle or hub.
    case tooMany(what: String, limit: Int)
    /// A count limit of one request: asking again cannot help, and clients that repeat a 403 must
    /// not.
    case tooManyInRequest(what: String, limit: Int)
    /// Slow down; whole seconds.
    case throttled(retryAfterSeconds: Int)
    /// A rate of a hub is used up until the next minute.
    case tooFast(what: String, perMinute: Int, retryAfterSeconds: Int)
    /// The store cannot take anything now; nothing was stored.
    case storeUnavailable(retryAfterSeconds: Int)
    /// The store has not answered in time, and the request may be stored yet.
    case storeUnanswered(retryAfterSeconds: Int)
    /// The disk is full; nothing was stored.
    case storeFull
    /// Shutting down; nothing was stored.
    case stopping
    /// A defect of the hub; the number leads to the log line.
    case internalError(reference: UInt64)

    /// The refusal as a node tells it whose lease may have ended: its memory may be old.
    package var behindLease: Refusal {
        switch status {
        case 404, 409, 410, 412: .storeUnavailable(retryAfterSeconds: 1)
        default: self
        }
    }

    /// The HTTP status.
    ///
    /// Source: REST reference §2.6, §3.6.
    package var status: Int {
        switch self {
        case .tokenMissing, .tokenMalformed, .signatureInvalid, .tokenExpired, .audienceMismatch:
            401
        case .missingRight, .namespaceRuleNeeded, .protectedTag, .registrationIsGranted,
            .installationIsGranted, .tooMany, .linkRefused:
            403
        case .hubNotFound, .registrationNotFound, .installationNotFound, .scheduleNotFound,
            .notificationNotFound, .jobNotFound, .deviceNotFound, .feedbackNotFound:
            404
        case .hubExists, .credentialChanged, .idempotencyConflict: 409
        case .registrationGone: 410
        case .versionMismatch: 412
        case .invalid, .tooManyInRequest: 400
        case .tooLarge: 413
        case .throttled, .tooFast: 429
        case .storeUnavailable, .storeUnanswered, .stopping: 503
        case .storeFull: 507
        case .internalError: 500
        }
    }

    /// The sub code for logs and details.
    ///
    /// Source: REST reference §2.5.
    package var subCode: Int {
        switch self {
        case .tokenMissing: 40102
        case .tokenMalformed: 40105
        case .signatureInvalid: 40103
        case .tokenExpired: 40106
        case .audienceMismatch: 40104
        case .missingRight, .namespaceRuleNeeded, .protectedTag, .registrationIsGranted,
            .installationIsGranted, .tooMany:
            40300
        case .linkRefused: 40301
        case .hubNotFound: 40400
        case .registrationNotFound, .installationNotFound, .scheduleNotFound,
            .notificationNotFound, .jobNotFound, .deviceNotFound, .feedbackNotFound:
            40403
        case .hubExists, .credentialChanged, .idempotencyConflict: 40900
        case .registrationGone: 41000
        case .versionMismatch: 41200
        case .invalid, .tooManyInRequest: 40000
        case .tooLarge: 41300
        case .throttled, .tooFast: 42900
        case .storeUnavailable, .storeUnanswered, .stopping: 50300
        case .storeFull: 50700
        case .internalError: 50000
        }
    }

    /// The sentence for the caller, without tracking suffix.
    package var detail: String {
        switch self {
        case .tokenMissing: "MissingToken: The Authorization header is missing."
        case .tokenMalformed(let reason): "MalformedToken: \(reason)"
        case .signatureInvalid:
            "InvalidSignature: The token has an invalid signature."
        case .tokenExpired: "ExpiredToken: The token has expired; check 'se' and the clock."
        case .audienceMismatch:
            "InvalidAudience: The token's 'sr' does not cover the requested resource."
        case .missingRight(let right): "\(right.name) claim is required for this operation."
        case .namespaceRuleNeeded(let right):
            "\(right.name) claim is required for this operation. A rule of the namespace must give it; "
                + "the token's is one of the hub."
        case .hubNotFound(let name): "The notification hub '\(name)' does not exist."
        case .credentialChanged(let field):
            "Conflict. \(field) was changed after this description was read: read it again."
        case .hubExists(let name): "Conflict. The notification hub '\(name)' exists already."
        case .invalid(let field, let reason): "\(field): \(reason)"
        case .protectedTag(let tag):
            "Tags: '\(tag)' is a protected tag; it is granted by the backend with a Manage token."
        case .registrationIsGranted:
            "The registration carries tags granted by the backend; a Manage token is required."
        case .installationIsGranted:
            "The installation has a user or tags granted by the backend; a Manage token is required."
        case .installationNotFound: "Installation not found."
        case .registrationNotFound: "Registration not found."
        case .notificationNotFound:
            "Notification not found: there is none with this id, or it is no longer kept."
        case .feedbackNotFound: "The feedback container has no such blob, or no longer."
        case .linkRefused(let reason): reason
        case .registrationGone: "The registration id was deleted; reserve a new one."
        case .versionMismatch: "If-Match: the registration has changed."
        case .scheduleNotFound:
            "No such notification is scheduled: it is unknown, was cancelled, or was sent."
        case .deviceNotFound: "No such device: it has neither registered nor been seen."
        case .jobNotFound: "No such job: there is none with this id, or it is no longer kept."
        case .idempotencyConflict:
            "Idempotency-Key: the key was used for another notification within the last 24 hours."
        case .tooLarge(let field, let bytes, let limit):
            "\(field): \(bytes) bytes exceed the limit of \(limit)."
        case .tooMany(let what, let limit): "\(what): the limit of \(limit) is reached."
        case .tooManyInRequest(let what, let limit): "\(what): at most \(limit) are allowed."
        case .throttled: "Too many requests; retry after the time given in Retry-After."
        case .tooFast(let what, let limit, _):
            "\(what): the limit of \(limit) a minute is reached; "
                + "retry after the time given in Retry-After."
        case .storeUnavailable: "The store is unavailable; nothing was stored."
        case .storeUnanswered:
            "The store does not answer. Whether the request was stored is not known yet: "
                + "repeat it with the same Idempotency-Key."
        case .storeFull: "The store is full; nothing was stored."
        case .stopping: "The hub is shutting down; nothing was stored."
        case .internalError(let reference): "Internal error, reference \(reference)."
        }
    }
}
