import FoundationEssentials

/// `/healthz`: whether sends can be accepted, for load balancers; needs no token.
enum HealthRoute {
    private struct Report: Encodable {
        var problems: [String]
        var status: String
    }

    /// 200 without problems, 503 with them; the body lists them as JSON.
    static func answer(problems: [String]) -> Answer {
        let report = Report(problems: problems, status: problems.isEmpty ? "ok" : "unavailable")
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // Strings always encode.
        let body = (try? encoder.encode(report)).map { Array($0) } ?? []
        return Answer(
            status: problems.isEmpty ? 200 : 503,
            headers: [("Content-Type", "application/json; charset=utf-8")],
            body: body
        )
    }
}
