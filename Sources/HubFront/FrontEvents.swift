import Metrics

/// What operators count of a front.
enum FrontEvents {
    /// What became of a request.
    enum Request: String, CaseIterable {
        /// A leader has answered it.
        case carried
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

    static func count(_ request: Request) {
        guard let index = Request.allCases.firstIndex(of: request) else { return }
        requests[index].increment()
    }

    /// So many requests are under way.
    static func measure(requests: Int) { open.record(requests) }
}
