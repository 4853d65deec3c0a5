import Hummingbird

/// The description of the whole surface, for tools; needs no token, as it says nothing of hubs.
enum OpenAPIRoute {
    /// The row; `document` is asked for with each request, since it holds this row too.
    static func rows(_ document: @escaping @Sendable () -> ByteBuffer) -> [RouteRow] {
        [
            RouteRow(
                "describe",
                "/$belfry/openapi.json",
                "Describes every operation as an OpenAPI document",
                ofNode: nil,
                answers: [AnswerNote(200, "The document", ContentType.json, schema: "OpenAPI")],
                run: { _ in
                    Answer(
                        status: 200,
                        headers: [("Content-Type", ContentType.json)],
                        shared: document()
                    )
                }
            )
        ]
    }
}
