import HubTags
import HubVocabulary

extension Registration {
    /// Adds the lists in which records behind `after` that match this registration are found: those
    /// of every tag that it has, or had at such a record's place.
    package func addAnchors(after: UInt64, to found: inout Set<AnchorKey>) {
        func add(_ tags: TagSet) {
            for index in 0..<tags.count { found.insert(AnchorKey(tag: tags.tag(at: index))) }
        }
        add(tags)
        for former in formerTags where former.until.sequence > after + 1 { add(former.tags) }
    }
}
