import HubModel
import HubTags
import HubVocabulary

// How much a hub takes. Each refusal tells the operator too.

extension HubState {
    private var quota: HubQuota { terms.limits.quota }

    /// Requires room for so many more registrations; none or fewer always have it.
    ///
    /// - Throws: `.tooMany`.
    func requireRoom(for made: Int) throws(Refusal) {
        guard made > 0, table.count + made > quota.registrationsMax else { return }
        throw reached(.registrations)
    }

    /// Requires room for the tags of registrations, and for those that no registration has.
    ///
    /// - Throws: `.tooMany` naming tags, their bytes or their number in all.
    func requireRoom(for sets: [TagSet]) throws(Refusal) {
        let most = sets.reduce(into: (count: 0, bytes: 0)) {
            $0.count += $1.count
            $0.bytes += $1.bytes.count
        }
        guard table.tags.hasRoom(forMemberships: most.count) else { throw reached(.memberships) }
        // Only close to a quota the tags are looked up.
        guard !isRoom(for: most) else { return }
        table.forgetUnusedTags()
        var unknown = (count: 0, bytes: 0)
        for set in sets {
            set.forEach { tag in
                guard table.tags.lookup(tag) == nil else { return }
                unknown.count += 1
                unknown.bytes += tag.count
            }
        }
        guard unknown.count > 0, !isRoom(for: unknown) else { return }
        let isCount = table.tags.tagCount + unknown.count > quota.tagsMax
        throw reached(isCount ? .tags : .tagBytes)
    }

    /// Counts new registrations of a token among those of this minute.
    ///
    /// - Throws: `.tooFast` when its rule or address has made enough.
    func admit(new made: Int, by grant: AccessGrant) throws(Refusal) {
        let reached = rates.newRegistrations.count(made, by: grant, quota, now: group.time)
        if let reached { throw self.reached(reached) }
    }

    private func isRoom(for more: (count: Int, bytes: Int)) -> Bool {
        table.tags.tagCount + more.count <= quota.tagsMax
            && table.tags.spellingBytes + more.bytes <= quota.tagBytesMax
    }

    /// Tells the operator of a limit, and returns the refusal that names it.
    private func reached(_ limit: HubLimit) -> Refusal {
        if rates.told.isNews(limit, now: group.time) { outbox.tell(.limitReached(limit)) }
        let seconds = NewRegistrations.secondsLeft(now: group.time)
        return switch limit {
        case .registrations:
            .tooMany(what: "registrations of this hub", limit: quota.registrationsMax)
        case .tags: .tooMany(what: "tags of this hub", limit: quota.tagsMax)
        case .tagBytes:
            .tooMany(what: "bytes of the tags of this hub", limit: quota.tagBytesMax)
        case .memberships:
            .tooMany(
                what: "tags of all registrations of this hub",
                limit: TagIndex.membershipsMax
            )
        case .newOfKey:
            .tooFast(
                what: "new registrations with this key",
                perMinute: quota.newPerKeyPerMinute,
                retryAfterSeconds: seconds
            )
        case .newOfAddress:
            .tooFast(
                what: "new registrations from this address",
                perMinute: quota.newPerAddressPerMinute,
                retryAfterSeconds: seconds
            )
        }
    }
}
