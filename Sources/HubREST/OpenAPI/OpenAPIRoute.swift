/// The description of the whole surface, for tools; needs no token, as it says nothing of hubs.
enum OpenAPIRoute {
    static let rows = [
        RouteRow(
            "describe",
            "GET",
            "/$belfry/openapi.json",
            "Describes every operation as an OpenAPI document",
            answers: [AnswerNote(200, "The document", ContentType.json, schema: "OpenAPI")],
            open: { _ in
                Answer(
                    status: 200,
                    headers: [("Content-Type", ContentType.json)],
                    body: OpenAPIDocument.json
                )
            }
        )
    ]
}
