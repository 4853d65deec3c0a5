import Hummingbird

/// Every operation of the REST surface; finding a route, rights, `Allow`, reading of bodies, names
/// for counting and the OpenAPI document are all read from here.
///
/// A new operation is one row beside its handler, and its family's rows are named here.
/// Source: REST §1.3.
package enum RouteTable {
    /// All rows; of those with one method and path, the first whose query selector fits is meant.
    package static let rows: [RouteRow] =
        HealthRoute.rows
        + OpenAPIRoute.rows { document }
        + HubRoutes.rows
        + KeyRoutes.rows
        + ServerRoutes.rows
        + ClusterRoute.rows
        + AuditRoute.rows
        + ConsoleCodeRoute.rows
        + RegistrationRoutes.rows
        + RegistrationListRoute.rows
        + InstallationRoutes.rows
        + InstallationListRoute.rows
        + SendRoute.rows
        + SendLinesRoute.rows
        + TelemetryRoute.rows
        + FeedbackRoutes.rows
        + DeliveryErrorsRoute.rows
        + InspectionRoutes.rows
        + NotificationListRoute.rows
        + PastRoutes.rows
        + TestStepsRoute.rows
        + DeviceRoutes.rows
        + ExplainRoute.rows
        + ScheduleRoutes.rows
        + SettingsRoutes.rows
        + JobRoutes.rows
        + RevokeRoute.rows
        + RelayRoute.rows
        + MetricsRoute.rows

    /// The paths, those with fewer names in braces first: a fixed word wins over a name.
    package static let resources: [RouteResource] = {
        var resources: [RouteResource] = []
        var seen: Set<PathPattern> = []
        for path in rows.map(\.path) where seen.insert(path).inserted {
            let own = rows.filter { $0.path == path }
            let methods = Set(own.map(\.method)).sorted()
            resources.append(RouteResource(path: path, rows: own, allowed: methods))
        }
        let names = resources.map(\.path.parameters.count)
        // Sorting by place within the same number keeps the table's order.
        return resources.indices.sorted { (names[$0], $0) < (names[$1], $1) }.map { resources[$0] }
    }()

    /// The table as tools read it; made once.
    private static let document = ByteBuffer(bytes: OpenAPIDocument.json(of: resources))

    private static let byLength = Dictionary(grouping: resources, by: \.path.segmentCount)

    /// Returns the resource at a path; nil when the table has none.
    static func resource(at segments: [[UInt8]]) -> RouteResource? {
        byLength[segments.count]?.first { $0.path.matches(segments) }
    }

    /// The row that a request with this method, path and query means; nil when there is none.
    package static func row(method: String, target: String) -> RouteRow? {
        let target = RequestTarget(target)
        // Only whether there is one is asked.
        return try? resource(at: target.segments)?.row(method: method, target: target)
    }
}
