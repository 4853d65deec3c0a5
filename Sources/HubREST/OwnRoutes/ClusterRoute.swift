import HubVocabulary

/// `GET /$belfry/cluster`: the nodes of the database that holds the hubs; our own.
enum ClusterRoute {
    static let rows = [
        RouteRow(
            "describeCluster",
            "/$belfry/cluster",
            "Lists the nodes of the hubs' database, and says which one leads",
            ofNode: .manage,
            answers: [
                AnswerNote(
                    200,
                    "What the node that is asked sees; without nodes where files hold the hubs",
                    ContentType.json,
                    schema: "Cluster"
                )
            ],
            run: describe
        )
    ]

    private struct Node: Encodable {
        var address: String
        /// Whether it is the one that answers.
        var answers: Bool
        /// Absent, as the others of copies are, for a node that does not wait.
        var groupsBehind: UInt64?
        var isAhead: Bool?
        var isWarm: Bool?
        var node: String
        var release: String
        var seenMilliseconds: UInt64
        var state: String
    }

    private struct Standbys: Encodable {
        var connected: Int
        /// Absent where it is not known.
        var synchronous: Int?
        var synchronousNames: String
    }

    private struct Cluster: Encodable {
        /// Absent where files hold the hubs.
        var database: String?
        /// Absent when the database can be asked.
        var fault: String?
        var leads: Bool
        /// Absent, as the term is, where the database was not asked.
        var leaseMilliseconds: UInt64?
        var nodes: [Node]
        /// PostgreSQL's own; absent where it was not asked.
        var standbys: Standbys?
        var term: UInt64?
    }

    private static func describe(
        _ node: any NodeService
    ) async throws(RequestFailure) -> Answer {
        guard let found = await node.cluster() else {
            return Answer(json: Cluster(leads: true, nodes: []))
        }
        let isAsked = found.fault == nil
        return Answer(
            json: Cluster(
                database: found.database,
                fault: found.fault,
                leads: found.leads,
                leaseMilliseconds: isAsked ? found.leaseMilliseconds : nil,
                nodes: found.nodes.map { node in
                    Node(
                        address: node.address,
                        answers: node.isSelf,
                        groupsBehind: node.copies?.behind,
                        isAhead: node.copies?.isAhead,
                        isWarm: node.copies?.isWarm,
                        node: node.name,
                        release: node.release,
                        seenMilliseconds: node.silence,
                        state: node.standing.rawValue
                    )
                },
                standbys: found.standbys.map { standbys in
                    Standbys(
                        connected: standbys.connected,
                        synchronous: standbys.synchronous,
                        synchronousNames: standbys.synchronousNames
                    )
                },
                term: isAsked ? found.term : nil
            )
        )
    }
}
