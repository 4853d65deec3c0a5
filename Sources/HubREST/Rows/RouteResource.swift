/// One path and its operations.
package struct RouteResource: Sendable {
    /// The path.
    package let path: PathPattern
    /// Its operations, in the table's order.
    package let rows: [RouteRow]
    /// The methods that mean something here, ascending, as `Allow` lists them.
    package let allowed: [String]

    /// The operation that a request asks for.
    ///
    /// - Throws: `.methodNotAllowed`.
    func row(method: String, target: RequestTarget) throws(RequestFailure) -> RouteRow {
        let row = rows.first { $0.method == method && $0.when.selects(target) }
        guard let row else { throw .methodNotAllowed(allowed: allowed) }
        return row
    }
}
