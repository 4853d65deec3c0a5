package import HubVocabulary

/// The lane's next step after an answer of a service.
package enum RelayAction: Hashable, Sendable {
    /// The service took it.
    case done
    /// This notification cannot be sent to this device in this form: counted, not tried again.
    case content
    /// The request was malformed, which is a mistake of Belfry's: as `content`, and reported.
    case malformed
    /// The handle is dead; the service may say since when it knows.
    case gone(since: Timestamp?)
    /// The handle is dead, or the credential is of another app or environment; deletes under the
    /// brake, or not at all.
    case suspect(mayDelete: Bool)
    /// The access token is stale.
    case renew
    /// The provider token was renewed too often: the older one serves on.
    case keepOlderToken(seconds: UInt64)
    /// The credential is wrong.
    case credential
    /// Only this device: tried again by itself, after twice the time at each attempt.
    case later(seconds: UInt64, most: UInt64)
    /// The service wants less.
    case slow(retryAfter: UInt64?)
    /// The service is not there.
    case stall(retryAfter: UInt64?)
    /// The request was not processed, or the connection ends: sent again, and no attempt counted.
    case again
}
