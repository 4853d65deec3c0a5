import HubRules

/// `/healthz`: whether sends can be accepted, for load balancers; needs no token.
enum HealthRoute {
    static let rows = [
        RouteRow(
            "health",
            "/healthz",
            "Says whether sends can be accepted, for load balancers",
            ofNode: nil,
            inputs: [
                .query(
                    "leads",
                    "Asks for 200 from the one node of a database that leads; others answer 503.",
                    .flag
                )
            ],
            answers: [
                AnswerNote(200, "No problems", ContentType.json, schema: "Health"),
                AnswerNote(
                    503,
                    "Something is wrong; the body lists what, and with how many hubs",
                    ContentType.json,
                    schema: "Health"
                ),
            ],
            run: { node in answer(problems: node.problems) }
        )
    ]

    private struct Report: Encodable {
        /// How many hubs have a problem; callers without a key learn no name.
        var hubs: Int
        var problems: [String]
        var status: String
    }

    /// 200 without problems, 503 with them; the body lists their causes as JSON.
    private static func answer(problems: [HubProblem]) -> Answer {
        let report = Report(
            hubs: Set(problems.map(\.hub)).count,
            problems: Set(problems.map(\.cause)).sorted(),
            status: problems.isEmpty ? "ok" : "unavailable"
        )
        return Answer(status: problems.isEmpty ? 200 : 503, json: report)
    }
}
