import HubVocabulary

/// Which lane: one hub's to one platform's service.
struct LaneName: Hashable, Sendable {
    let hub: HubName
    let platform: Platform
}
