import HubModel
import HubRules
import HubTags
import HubVocabulary

/// A hub's name, secret and limits, from its opening to its end.
struct HubTerms {
    /// The hub's name.
    let hub: HubName
    /// The secret that push handles are derived from.
    let secret: HubSecret
    /// How much there may be of everything; of this the quota alone may change.
    private(set) var limits: CoreLimits
    /// Which tags devices cannot set.
    let protected: ProtectedTags

    /// How much the hub takes of registrations and tags.
    var quota: HubQuota {
        get { limits.quota }
        set { limits.quota = newValue }
    }

    /// Whether a token may write tags that the backend grants.
    ///
    /// Source: rules C.4.
    func mayGrant(_ grant: AccessGrant) -> Bool {
        grant.has(.manage) || protected.listenMaySetProtectedTags
    }

    /// Returns the protected ones among tags that a Manage token writes.
    func grantedTags(_ tags: TagSet, _ grant: AccessGrant) -> TagSet {
        guard grant.has(.manage) else { return TagSet() }
        var granted = TagSet()
        for index in 0..<tags.count where protected.isProtected(tags.tag(at: index)) {
            granted.append(tags.tag(at: index))
        }
        return granted
    }
}
