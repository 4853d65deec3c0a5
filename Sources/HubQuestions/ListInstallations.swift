package import HubDirectory
package import HubModel
import HubRules
package import HubVocabulary

/// Reads a page of installations, ascending by number; with limit 0 it only counts.
///
/// Looks at a bounded number of rows: a page may be short, or empty, and still name a next one.
package struct ListInstallations: HubQuestion {
    /// A page of installations, perhaps short.
    package struct Reply: Sendable {
        /// The installations that were found.
        package let installations: [Installation]
        /// How many were found, for a question that asks for none too.
        package let matched: Int
        /// The last number looked at when more follow.
        package let next: InstallationNumber?
        /// How many installations the hub has.
        package let total: Int

        /// Makes a page.
        package init(
            _ installations: [Installation],
            matched: Int,
            next: InstallationNumber?,
            total: Int
        ) {
            self.installations = installations
            self.matched = matched
            self.next = next
            self.total = total
        }
    }

    /// Which of them.
    package let filter: InstallationFilter
    /// The place behind which the page begins.
    package let after: InstallationNumber
    /// How many at most.
    package let limit: Int

    /// Asks for those after a number.
    package init(_ filter: InstallationFilter, after: InstallationNumber, limit: Int) {
        self.filter = filter
        self.after = after
        self.limit = limit
    }

    package func answer(_ hub: HubView) throws(Refusal) -> Reply {
        let limit = max(0, min(limit, hub.limits.registrations.pageRegistrationsMax))
        var page: [Installation] = []
        var looked = 0
        var matched = 0
        var next: InstallationNumber?
        func take(_ installation: Installation) -> Bool {
            looked += 1
            if !installation.isExpired(hub.now.time), matches(installation, hub) {
                matched += 1
                if limit > 0 { page.append(installation) }
            }
            guard limit == 0 || page.count < limit,
                looked < hub.limits.installations.installationScanMax
            else {
                next = installation.number
                return false
            }
            return true
        }
        if let numbers = numbers(hub) {
            for number in numbers where number > after {
                if let found = hub.installations[number], !take(found) { break }
            }
            if next == numbers.last { next = nil }
        } else {
            let looking = hub.limits.installations.installationScanMax
            next = hub.installations.forEach(after: after, looking: looking, take)
        }
        return Reply(page, matched: matched, next: next, total: hub.installations.count)
    }

    /// The installations with a tag, ascending, when few enough registrations have it; some may be
    /// among them that have not.
    private func numbers(_ hub: HubView) -> [InstallationNumber]? {
        guard let tag = filter.tag,
            hub.table.count(tag: tag.span) <= hub.limits.installations.installationScanMax
        else { return nil }
        var found: Set<InstallationNumber> = []
        for number in hub.table.numbers(tag: tag) {
            hub.table.forEachTag(of: number) { tag in
                guard let id = InstallationRules.installation(ofTag: tag) else { return }
                if let installation = hub.installations[id] { found.insert(installation.number) }
            }
        }
        return found.sorted()
    }

    private func matches(_ installation: Installation, _ hub: HubView) -> Bool {
        if let platform = filter.platform, installation.platform != platform { return false }
        guard ASCII.hasPrefix(installation.id, filter.prefix) else { return false }
        guard let tag = filter.tag else { return true }
        let numbers = hub.table.numbers(tag: InstallationRules.tag(installation: installation.id))
        return numbers.contains { hub.table.has(tag, $0) }
    }
}
