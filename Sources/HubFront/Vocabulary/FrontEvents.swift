import Metrics

/// The numbers of a front, for operators.
enum FrontEvents {
    /// The fate of a request.
    enum Request: String, CaseIterable {
        /// A leader has answered it.
        case carried
        /// It went to a leader in one request with others.
        case bundled
        /// An attempt beyond the first, after one that may have been carried out.
        case repeated
        /// It had to wait for a leader.
        case held
        /// It was answered 503 instead.
        case refused
    }

    private static let requests = Request.allCases.map { request in
        Counter(
            label: "belfry_front_requests_total",
            dimensions: [("outcome", request.rawValue)]
        )
    }
    private static let open = Gauge(label: "belfry_front_requests_open")

    /// The fate of a device's connection.
    enum Connection: String, CaseIterable {
        /// It goes on at a leader.
        case spliced
        /// It had to wait for a leader.
        case held
        /// It ended because another node leads.
        case moved
        /// There was no place for it, or a balancer did not say for whom it is.
        case refused
    }

    private static let connections = Connection.allCases.map { connection in
        Counter(
            label: "belfry_front_connections_total",
            dimensions: [("outcome", connection.rawValue)]
        )
    }
    private static let openConnections = Gauge(label: "belfry_front_connections_open")

    static func count(_ request: Request, by count: Int = 1) {
        guard let index = Request.allCases.firstIndex(of: request) else { return }
        requests[index].increment(by: count)
    }

    static func count(_ connection: Connection, by count: Int = 1) {
        guard let index = Connection.allCases.firstIndex(of: connection) else { return }
        connections[index].increment(by: count)
    }

    /// So many requests and connections are under way.
    static func measure(requests: Int, connections: Int) {
        open.record(requests)
        openConnections.record(connections)
    }
}
