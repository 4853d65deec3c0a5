import HubTags
import HubVocabulary

extension NotificationDraft {
    /// Returns the anchors of a record of this draft: ascending, each once, at most 1,001.
    ///
    /// A draft that no registration can match has none. An expression gives tags that every
    /// registration it can mean has at least one of; `count` tells which are the rarest. It gives
    /// everyone when it can mean registrations without any of its tags, as with `!a`. A collapse
    /// key gives one anchor more, unless the draft is transient.
    package func anchors(count: (Span<UInt8>) -> Int) -> [AnchorKey] {
        var found = audienceAnchors(count: count)
        if !found.isEmpty, !collapseKey.isEmpty, timeToLive != .transient {
            found.insert(AnchorKey(collapseKey: collapseKey))
        }
        return found.sorted()
    }

    private func audienceAnchors(count: (Span<UInt8>) -> Int) -> Set<AnchorKey> {
        var found: Set<AnchorKey> = []
        switch target {
        case .broadcast: return [.everyone]
        case .tags(let expression):
            guard let cover = expression.cover(cost: { count(expression.tag(at: $0)) }) else {
                return [.everyone]
            }
            for index in 0..<expression.tagCount where cover.tags >> UInt64(index) & 1 != 0 {
                found.insert(AnchorKey(tag: expression.tag(at: index)))
            }
        case .handles(let handles):
            guard case .native(let platform) = format else { return [.everyone] }
            for handle in handles {
                if let device = PushHandle.claimedDevice(in: handle, platform: platform) {
                    found.insert(AnchorKey(device: device))
                }
            }
        case .slots(let targets):
            for target in targets { found.insert(AnchorKey(device: target.device)) }
        }
        return found
    }
}
