package import HubModel
package import HubVocabulary

/// A token that one of the rules has signed: what it allows and where, until when.
///
/// Holds for the rules it was checked against; whoever keeps one forgets it when they change.
package struct VerifiedToken: Sendable {
    /// What it allows.
    package let grant: AccessGrant
    /// When it ends, without the time allowed for slow clocks.
    package let expiry: Timestamp
    let audience: Audience

    init(grant: AccessGrant, expiry: Timestamp, audience: Audience) {
        self.grant = grant
        self.expiry = expiry
        self.audience = audience
    }
}
