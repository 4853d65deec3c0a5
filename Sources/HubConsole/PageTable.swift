import HubREST

/// Every page and every effect of a page; routing, roles, the audit and the tests are read from
/// here.
package enum PageTable {
    /// All rows.
    package static let rows: [PageRow] =
        HubPages.rows
        + FindPage.rows
        + OverviewPage.rows
        + EventPages.rows
        + SendPages.rows
        + TestSendPage.rows
        + NotificationPages.rows
        + FailurePage.rows
        + ExplainPage.rows
        + DevicePages.rows
        + RegistrationPages.rows
        + InstallationPages.rows
        + TagPages.rows
        + SchedulePages.rows
        + JobPages.rows
        + SettingsPages.rows
        + AccessPages.rows
        + RulePages.rows
        + NamespaceAccessPages.rows
        + SessionPages.rows
        + ServerPages.rows

    /// Returns the row of a request; nil when its path leads nowhere or takes another method.
    static func row(method: String, segments: [[UInt8]]) -> PageRow? {
        let method = method == "HEAD" ? "GET" : method
        // A fixed word wins over a name.
        return rows.filter { $0.method == method && $0.path.matches(segments) }
            .min { $0.path.parameters.count < $1.path.parameters.count }
    }

    /// Returns the methods that a path takes; none where it leads nowhere.
    static func methods(at segments: [[UInt8]]) -> [String] {
        let methods = rows.filter { $0.path.matches(segments) }.map(\.method)
        return Set(methods + (methods.contains("GET") ? ["HEAD"] : [])).sorted()
    }
}
