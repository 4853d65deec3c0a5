/// The schemas of JSON and XML bodies, by the names under which rows refer to them.
package enum DocumentSchema {
    /// Every schema of the document.
    package static let components =
        own
        .merging(InspectionSchemas.components) { own, _ in own }
        .merging(InstallationSchemas.components) { own, _ in own }
        .merging(ListSchemas.components) { own, _ in own }

    private static let own: [String: DocumentValue] = [
        "Error": [
            "type": "object", "required": ["Code", "Detail"], "xml": ["name": "Error"],
            "description": "One line without white space between the elements.",
            "properties": [
                "Code": ["type": "integer", "description": "The status."],
                "Detail": [
                    "type": "string",
                    "description": """
                    Sub code and sentence, then `TrackingId:` and `TimeStamp:` of the answer.
                    """,
                ],
            ],
        ],
        "OpenAPI": [
            "type": "object", "required": ["openapi", "info", "paths"],
            "properties": ["openapi": ["type": "string"]],
        ],
        "SendLineOutcome": [
            "type": "object", "required": ["line", "status"],
            "description": "One line of the answer; the whole is text, a line for each outcome.",
            "properties": [
                "line": ["type": "integer", "description": "In the request, from 1."],
                "status": ["type": "integer", "description": "201, or that of a refusal."],
                "id": ["type": "string", "description": "Of what was accepted."],
                "location": ["type": "string", "description": "Of what was accepted."],
                "code": ["type": "integer", "description": "Sub code of a refusal."],
                "detail": ["type": "string", "description": "Of a refusal; names the field."],
                "outcome": [
                    "type": "string", "enum": ["unknown"],
                    "description": "Of a 503 after which the notification may be accepted.",
                ],
                "retryAfterSeconds": [
                    "type": "integer", "description": "Of a refusal that passes by itself.",
                ],
            ],
            "examples": [
                [
                    "line": 1, "status": 201, "id": "019df1c0-1-1",
                    "location": "https://hubs.example.net/hub/messages/019df1c0-1-1",
                ],
                ["line": 2, "status": 400, "code": 40000, "detail": "tags: is empty"],
            ],
        ],
        "Counters": [
            "type": "object", "required": ["notification", "sequence", "state", "platforms"],
            "properties": [
                "notification": ["type": "string"], "sequence": ["type": "integer"],
                "state": ["type": "string"], "accepted": ["type": "string"],
                "expires": ["type": "string"], "fannedOut": ["type": "string"],
                "platforms": [
                    "type": "object",
                    "additionalProperties": [
                        "type": "object", "additionalProperties": ["type": "integer"],
                    ],
                ],
                "receipts": [
                    "type": "object",
                    "description": "How many devices told of it up to each age.",
                    "required": ["acknowledged", "ageMilliseconds", "displayed", "opened"],
                    "properties": [
                        "acknowledged": list(["type": "integer"]),
                        "ageMilliseconds": list(["type": "integer"]),
                        "displayed": list(["type": "integer"]),
                        "opened": list(["type": "integer"]),
                    ],
                ],
            ],
        ],
        "HubSettings": [
            "type": "object",
            "required": [
                "deviceCap", "logBytesWarned", "purgedThrough", "retentionSeconds",
                "timeToLiveSeconds",
            ],
            "properties": [
                "deviceCap": ["type": "integer"], "logBytesWarned": ["type": "integer"],
                "purgedThrough": ["type": "integer"],
                "retentionSeconds": ["type": "integer"], "timeToLiveSeconds": ["type": "integer"],
            ],
        ],
        "HubSettingsChange": [
            "type": "object",
            "properties": [
                "deviceCap": ["type": "integer"], "logBytesWarned": ["type": "integer"],
                "retentionSeconds": ["type": "integer"], "timeToLiveSeconds": ["type": "integer"],
            ],
        ],
        "Explanation": [
            "type": "object",
            "required": ["notification", "reason", "sentence", "registrations"],
            "properties": [
                "notification": ["type": "string"], "reason": ["type": "string"],
                "sentence": ["type": "string"], "accepted": ["type": "string"],
                "place": ["type": "integer"], "expires": ["type": "string"],
                "receivers": [
                    "type": "string", "description": "The tag expression, or words.",
                ],
                "fannedOut": [
                    "type": "string",
                    "description": "When it had come to every connected device that it is for.",
                ],
                "registrations": list([
                    "type": "object", "required": ["reason", "sentence"],
                    "properties": [
                        "tags": list(["type": "string"]), "tagsSince": ["type": "integer"],
                        "tagsUntil": ["type": "integer"],
                        "terms": list([
                            "type": "object", "required": ["holds", "term"],
                            "properties": [
                                "holds": ["type": "boolean"], "term": ["type": "string"],
                            ],
                        ]),
                        "registration": ["type": "string"], "platform": ["type": "string"],
                        "slot": ["type": "integer"], "reason": ["type": "string"],
                        "sentence": ["type": "string"], "part": ["type": "string"],
                        "since": ["type": "integer"], "expires": ["type": "string"],
                        "lastSeen": ["type": "string"], "newer": ["type": "string"],
                        "bytes": ["type": "integer"],
                        "limit": ["type": "integer"],
                    ],
                ]),
            ],
        ],
        "Schedule": [
            "type": "object", "required": ["id", "due", "scheduled", "format", "bytes"],
            "additionalProperties": false,
            "properties": [
                "id": ["type": "string"], "due": ["type": "string"],
                "scheduled": ["type": "string"], "format": ["type": "string"],
                "tags": ["type": "string", "description": "Absent for everybody."],
                "bytes": ["type": "integer", "description": "Of the payload."],
            ],
        ],
        "Schedules": [
            "type": "object", "required": ["schedules"], "additionalProperties": false,
            "properties": [
                "schedules": list(reference("Schedule")),
                "continuationToken": [
                    "type": "string", "description": "Asks for the next page; absent on the last.",
                ],
            ],
        ],
        "Health": [
            "type": "object", "required": ["hubs", "problems", "status"],
            "additionalProperties": false,
            "properties": [
                "hubs": [
                    "type": "integer", "minimum": 0, "description": "How many have a problem.",
                ],
                "problems": list(["type": "string"]),
                "leader": [
                    "type": "object", "required": ["address", "node"],
                    "additionalProperties": false,
                    "description": "Who leads, as a node says that does not.",
                    "properties": ["address": ["type": "string"], "node": ["type": "string"]],
                ],
                "status": ["enum": ["ok", "front", "unavailable"]],
            ],
        ],
    ]

    /// Returns the schema of a list.
    package static func list(_ items: DocumentValue) -> DocumentValue {
        ["type": "array", "items": items]
    }

    /// Returns a reference to the schema with this name.
    package static func reference(_ name: String) -> DocumentValue {
        ["$ref": .text("#/components/schemas/\(name)")]
    }
}
