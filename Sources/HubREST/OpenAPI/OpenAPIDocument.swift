import HubSchemas
import HubVocabulary

/// The OpenAPI 3.1 document of the route table.
///
/// Rows that differ only in their query selector are one operation there.
enum OpenAPIDocument {
    /// The document of these paths as JSON.
    static func json(of resources: [RouteResource]) -> [UInt8] { document(of: resources).json }

    private static func document(of resources: [RouteResource]) -> DocumentValue {
        [
            "openapi": "3.1.0",
            "info": [
                "title": "Belfry", "version": "1",
                "summary": "A self-hosted push-notification hub",
                "description": .text(introduction),
            ],
            // Relative to where the document was found.
            "servers": [["url": "/"]],
            "security": [["token": []]],
            "paths": .object(
                Dictionary(
                    uniqueKeysWithValues: resources.map { ($0.path.description, path($0)) }
                )
            ),
            "components": [
                "schemas": .object(DocumentSchema.components),
                "responses": .object(refusals(resources.flatMap(\.rows))),
                "headers": headers,
                "parameters": parameters,
                "securitySchemes": [
                    "token": [
                        "type": "apiKey", "in": "header", "name": "Authorization",
                        "description": .text(tokenText),
                    ]
                ],
            ],
        ]
    }

    private static let introduction = """
        Paths and names of query fields compare without case, a slash at the end of a path is \
        allowed, `api-version` may have any value, and no `Content-Type` is refused. Paths with \
        `$belfry` are extensions of this hub; all others behave as clients of the cloud service \
        expect.
        """

    private static let tokenText = """
        `SharedAccessSignature sr=RESOURCE&sig=SIGNATURE&se=EXPIRY&skn=RULE`, parts in any order. \
        The signature is the base64 of HMAC-SHA256 over RESOURCE, a line feed and EXPIRY, as they \
        stand, with the UTF-8 bytes of the key's text.
        """

    private static let trackingHeaders: DocumentValue = [
        "TrackingId": ["$ref": "#/components/headers/TrackingId"],
        "x-ms-correlation-request-id": ["$ref": "#/components/headers/CorrelationId"],
    ]

    private static let headers: DocumentValue = [
        "TrackingId": [
            "description": "The request's own, or a new one; names the request in logs.",
            "schema": ["type": "string"],
        ],
        "CorrelationId": [
            "description": "New for each answer.", "schema": ["type": "string"],
        ],
        "RetryAfter": [
            "description": "Whole seconds after which the request may be repeated.",
            "schema": ["type": "integer", "minimum": 1],
        ],
        "Outcome": [
            "description": "`unknown`: it may have been carried out. Without it nothing was.",
            "schema": ["type": "string", "enum": [.text(OutcomeHeader.unknown)]],
        ],
    ]

    private static let parameters: DocumentValue = [
        "hub": [
            "name": "hub", "in": "path", "required": true,
            "description": "The hub's name, without case.",
            "schema": ["type": "string", "minLength": 1, "maxLength": .number(HubName.bytesMax)],
        ],
        "apiVersion": [
            "name": "api-version", "in": "query", "required": false,
            "description": "Any value; taken over into addresses in answers.",
            "schema": ["type": "string", "examples": ["2020-06"]],
        ],
        "tracking": [
            "name": "TrackingId", "in": "header", "required": false,
            "description": "Echoed when it is 1 to 64 letters, digits, `-` and `_`.",
            "schema": ["type": "string"],
        ],
        "traceParent": [
            "name": "traceparent", "in": "header", "required": false,
            "description": "The caller's trace, by W3C Trace Context: goes on here.",
            "schema": ["type": "string"],
        ],
    ]

    // MARK: Operations

    private static func path(_ resource: RouteResource) -> DocumentValue {
        .object(
            Dictionary(
                uniqueKeysWithValues: resource.allowed.map { method in
                    let rows = resource.rows.filter { $0.method == method }
                    return (method.lowercased(), operation(rows))
                }
            )
        )
    }

    private static func operation(_ rows: [RouteRow]) -> DocumentValue {
        // The table's last row of a method and path is the one for every other query.
        let main = rows[rows.count - 1]
        var members: [String: DocumentValue] = [
            "operationId": .text(main.name), "summary": .text(main.summary),
            "description": .text(description(rows)), "parameters": .list(inputs(rows)),
            "responses": responses(rows), "tags": [.text(main.path.family)],
        ]
        if main.right == nil { members["security"] = [] }
        let bodies = rows.compactMap { row in
            if case .read(let note) = row.body { note } else { nil }
        }
        if let body = bodies.last { members["requestBody"] = requestBody(bodies, main: body) }
        return .object(members)
    }

    private static func description(_ rows: [RouteRow]) -> String {
        rows.reversed().map { row in
            let when =
                switch row.when {
                case .always: ""
                case .present(let name), .flag(let name): "With `\(name)`: "
                }
            let place = row.isOfNamespace ? " of the namespace" : ""
            let right = row.right.map { "needs the right \($0.name)\(place)" } ?? "needs no token"
            return "\(when)\(row.summary); \(right)."
        }.joined(separator: " ")
    }

    private static func inputs(_ rows: [RouteRow]) -> [DocumentValue] {
        var list: [DocumentValue] = []
        if rows[0].path.parameters.contains("hub") {
            list.append(["$ref": "#/components/parameters/hub"])
        }
        var seen: Set<String> = []
        for input in rows.reversed().flatMap(\.inputs)
        where seen.insert("\(input.place) \(input.name.lowercased())").inserted {
            list.append(input.document)
        }
        list.append(["$ref": "#/components/parameters/apiVersion"])
        list.append(["$ref": "#/components/parameters/tracking"])
        list.append(["$ref": "#/components/parameters/traceParent"])
        return list
    }

    private static func requestBody(_ notes: [BodyNote], main: BodyNote) -> DocumentValue {
        var content: [String: DocumentValue] = [:]
        for note in notes {
            for type in note.types { content[type] = note.media(type) }
        }
        let texts = notes.map(\.text).reduce(into: [String]()) { texts, text in
            if !texts.contains(text) { texts.append(text) }
        }
        return [
            "description": .text(texts.joined(separator: " ")), "required": .flag(main.isRequired),
            "content": .object(content),
        ]
    }

    private static func responses(_ rows: [RouteRow]) -> DocumentValue {
        var members: [String: DocumentValue] = [:]
        for status in Set(rows.flatMap(\.statuses)) {
            members[String(status)] = ["$ref": .text("#/components/responses/Refusal\(status)")]
        }
        for answer in rows.flatMap(\.answers) {
            members[String(answer.status)] = answer.document(headers: trackingHeaders)
        }
        return .object(members)
    }

    // MARK: Refusals

    private static func refusals(_ rows: [RouteRow]) -> [String: DocumentValue] {
        let answered = Set(rows.flatMap(\.statuses))
        let texts = DocumentRefusals.texts.filter { answered.contains($0.key) }
        return Dictionary(
            uniqueKeysWithValues: texts.map { status, text in
                let waits: [String: DocumentValue] =
                    DocumentRefusals.patient.contains(status)
                    ? ["Retry-After": ["$ref": "#/components/headers/RetryAfter"]] : [:]
                let doubts: [String: DocumentValue] =
                    status == 503
                    ? [OutcomeHeader.name: ["$ref": "#/components/headers/Outcome"]] : [:]
                let refusal: DocumentValue = [
                    "description": .text(text),
                    "headers": trackingHeaders.adding(waits).adding(doubts),
                    "content": .object([
                        ContentType.xml: ["schema": DocumentSchema.reference("Error")]
                    ]),
                ]
                return ("Refusal\(status)", refusal)
            }
        )
    }
}
