package import HubModel
package import HubVocabulary

/// A token that one of the rules has signed, with its grant, its audience and its end.
///
/// Holds for the rules against which it was checked; a cache drops it when they change.
package struct VerifiedToken: Sendable {
    /// The rights that the token gives, and the rule that signed it.
    package let grant: AccessGrant
    /// When it ends, without the time allowed for slow clocks.
    package let expiry: Timestamp
    let audience: Audience
    let use: KeyUse

    init(grant: AccessGrant, expiry: Timestamp, audience: Audience, use: KeyUse) {
        self.grant = grant
        self.expiry = expiry
        self.audience = audience
        self.use = use
    }
}
