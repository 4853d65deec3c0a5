import HubRules
import HubVocabulary

/// `GET /$belfry/metrics`: every number that the server counts, for scrapers; our own.
enum MetricsRoute {
    /// The text format of Prometheus.
    static let type = "text/plain; version=0.0.4; charset=utf-8"

    static let rows = [
        RouteRow(
            "metrics",
            "/$belfry/metrics",
            "Tells every number that the server counts, for scrapers",
            ofNode: .manage,
            answers: [AnswerNote(200, "The numbers, a line each, with what they mean", type)],
            run: { node throws(RequestFailure) in
                let text = await withCheckedContinuation { continuation in
                    node.metrics { continuation.resume(returning: $0) }
                }
                return Answer(
                    status: 200,
                    headers: [("Content-Type", type)],
                    body: Array(text.utf8)
                )
            }
        )
    ]
}
