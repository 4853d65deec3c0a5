import HubTags
import HubVocabulary

extension RegistrationTable {
    /// Requires room for so many more registrations; none or fewer always have it.
    ///
    /// - Throws: `.tooMany`.
    func requireRoom(for made: Int, _ quota: HubQuota) throws(Refusal) {
        guard made <= 0 || count + made <= quota.registrationsMax else {
            throw .tooMany(what: "registrations of this hub", limit: quota.registrationsMax)
        }
    }

    /// Requires room for those of the tags that no registration has.
    ///
    /// - Throws: `.tooMany` naming tags or their bytes.
    func requireRoom(for sets: [TagSet], _ quota: HubQuota) throws(Refusal) {
        let most = sets.reduce(into: (count: 0, bytes: 0)) {
            $0.count += $1.count
            $0.bytes += $1.bytes.count
        }
        // Only close to a quota the tags are looked up.
        guard !isRoom(for: most, quota) else { return }
        forgetUnusedTags()
        var unknown = (count: 0, bytes: 0)
        for set in sets {
            set.forEach { tag in
                guard tags.lookup(tag) == nil else { return }
                unknown.count += 1
                unknown.bytes += tag.count
            }
        }
        guard unknown.count > 0, !isRoom(for: unknown, quota) else { return }
        guard tags.tagCount + unknown.count <= quota.tagsMax else {
            throw .tooMany(what: "tags of this hub", limit: quota.tagsMax)
        }
        throw .tooMany(what: "bytes of the tags of this hub", limit: quota.tagBytesMax)
    }

    private func isRoom(for more: (count: Int, bytes: Int), _ quota: HubQuota) -> Bool {
        tags.tagCount + more.count <= quota.tagsMax
            && tags.spellingBytes + more.bytes <= quota.tagBytesMax
    }
}
