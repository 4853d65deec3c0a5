package import HubDirectory
package import HubModel
package import HubVocabulary

/// Reads a page of the scheduled notifications that have not fired, in the order in which they
/// will.
package struct ListSchedules: HubQuestion {
    /// The place behind which the page begins.
    package let after: SchedulePlace?
    /// How many at most.
    package let limit: Int

    /// Asks for those behind a place.
    package init(after: SchedulePlace?, limit: Int) {
        self.after = after
        self.limit = limit
    }

    package func answer(_ hub: HubView) throws(Refusal) -> ListPage<
        ScheduledNotification, SchedulePlace
    > {
        let count = max(1, min(limit, hub.limits.schedules.pageSchedulesMax))
        var page = hub.schedules.page(after: after, limit: count + 1)
        guard page.count > count else { return ListPage(page, next: nil) }
        page.removeLast()
        return ListPage(page, next: page.last?.place)
    }
}
