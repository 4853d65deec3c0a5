/// The nodes of the hubs' database, as the node that was asked sees them.
struct FoundNodes: Decodable {
    private struct Node: Decodable {
        var node: String
        var state: String
    }

    static let path = "$belfry/cluster"

    private var database: String?
    private var fault: String?
    private var nodes: [Node]

    /// One line; nil where files hold the hubs.
    var line: String? {
        guard database != nil else { return nil }
        if let fault { return "nodes: the database cannot be asked: \(fault)" }
        let leads = nodes.first { $0.state == "leads" }?.node
        let rest = nodes.filter { $0.state != "leads" }.map { "\($0.node) (\($0.state))" }
        let first = leads.map { "\($0) leads" } ?? "none leads"
        return "nodes: " + ([first] + rest).joined(separator: ", ")
    }
}
