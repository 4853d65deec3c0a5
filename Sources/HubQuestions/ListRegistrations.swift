package import HubDirectory
package import HubModel
package import HubVocabulary

/// Reads a page of registrations, ascending by number.
package struct ListRegistrations: HubQuestion {
    /// Which of them.
    package let filter: RegistrationFilter
    /// The place behind which the page begins.
    package let after: RegistrationNumber
    /// How many at most.
    package let limit: Int

    /// Asks for those after a number.
    package init(_ filter: RegistrationFilter, after: RegistrationNumber, limit: Int) {
        self.filter = filter
        self.after = after
        self.limit = limit
    }

    package func answer(_ hub: HubView) throws(Refusal) -> ListPage<
        Registration, RegistrationNumber
    > {
        let count = max(1, min(limit, hub.limits.registrations.pageRegistrationsMax))
        var page: [RegistrationNumber] = []
        var next: RegistrationNumber?
        // One more than asked for says whether another page follows.
        func take(_ number: RegistrationNumber) -> Bool {
            if hub.table.facts(of: number)?.isExpired(hub.now.time) == false { page.append(number) }
            return page.count <= count
        }
        switch filter {
        case .all:
            // Deleted ones may leave long gaps: a page may be short, or empty, and name a next one.
            let looking = hub.limits.registrations.registrationScanMax
            next = hub.table.forEach(after: after, looking: looking, take)
        case .tag(let tag):
            let looking = hub.limits.registrations.registrationScanMax
            next = hub.table.forEach(tag: tag, after: after, looking: looking, take)
        case .handle(let spellings):
            var numbers: Set<RegistrationNumber> = []
            for spelling in spellings {
                let found = try hub.reading { () throws(StoreError) in
                    try hub.table.numbers(handle: spelling)
                }
                numbers.formUnion(found)
            }
            for number in numbers.sorted() where number > after && !take(number) { break }
        }
        if page.count > count {
            page.removeLast()
            next = page.last
        }
        let registrations = try hub.reading { () throws(StoreError) in
            try hub.table.registrations(page, remembers: false)
        }
        return ListPage(registrations, next: next)
    }
}
