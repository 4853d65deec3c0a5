/// The schemas of the own additions' answers.
enum InspectionSchemas {
    static let components: [String: DocumentValue] = [
        "TagPage": [
            "type": "object", "required": ["tags"], "additionalProperties": false,
            "properties": [
                "continuationToken": ["type": "string", "description": "Absent on the last page."],
                "tags": DocumentSchema.list([
                    "type": "object", "required": ["registrations", "tag"],
                    "additionalProperties": false,
                    "properties": ["registrations": count, "tag": ["type": "string"]],
                ]),
            ],
        ],
        "Relays": [
            "type": "object",
            "description": "By platform.",
            "additionalProperties": [
                "type": "object",
                "required": [
                    "answers", "behind", "credential", "deferred", "open", "place", "rate",
                    "since", "waiting",
                ],
                "additionalProperties": false,
                "properties": [
                    "behind": count, "deferred": count, "open": count, "place": count,
                    "since": count, "answers": count, "waiting": count,
                    "cause": [
                        "type": "string", "description": "Why it rests; absent while it sends.",
                    ],
                    "certificateEnd": ["type": "string", "format": "date-time"],
                    "credential": ["type": "string", "enum": ["untried", "works", "refused"]],
                    "oldest": [
                        "type": "string", "format": "date-time",
                        "description": "When the oldest notification was accepted that waits.",
                    ],
                    "rate": [
                        "type": "number", "minimum": 0, "description": "Answers a second.",
                    ],
                    "refusal": [
                        "type": "string", "description": "Why the credential is refused.",
                    ],
                ],
            ],
        ],
        "RelayCheck": [
            "type": "object", "required": ["answer"],
            "additionalProperties": false,
            "properties": [
                "answer": [
                    "type": "string",
                    "enum": ["taken", "refused", "unanswered", "untestable", "noRelay"],
                ],
                "outcome": ["type": "string", "description": "The word that it would count as."],
                "reason": ["type": "string", "description": "The service's own word."],
            ],
        ],
        "RelaySkip": [
            "type": "object", "required": ["ended", "unread"],
            "additionalProperties": false,
            "properties": ["ended": count, "unread": count],
        ],
        "Revocation": [
            "type": "object", "required": ["device", "generation"],
            "additionalProperties": false,
            "properties": [
                "device": ["type": "string"],
                "generation": [
                    "type": "integer", "minimum": 1,
                    "description": "Of the key that it would have to prove.",
                ],
            ],
        ],
        "Audience": audience,
        "Preview": audience,
        "SampledRegistration": [
            "type": "object", "required": ["handle", "id", "kind", "platform", "tags"],
            "additionalProperties": false,
            "properties": [
                "bytes": ["type": "integer", "minimum": 0, "description": "Of `text`."],
                "handle": [
                    "type": "string",
                    "description": "Its first four characters; the whole is a secret.",
                ],
                "headers": ["type": "object", "additionalProperties": ["type": "string"]],
                "id": ["type": "string"], "kind": kind, "platform": ["type": "string"],
                "problem": ["type": "string", "description": "Why nothing would be delivered."],
                "tags": DocumentSchema.list(["type": "string"]),
                "text": ["type": "string", "description": "What it would get; previews only."],
            ],
        ],
    ]

    private static let count: DocumentValue = ["type": "integer", "minimum": 0]
    private static let kind: DocumentValue = ["enum": ["native", "template"]]

    private static let audience: DocumentValue = [
        "type": "object", "required": ["platforms", "registrations", "sample", "withoutDevice"],
        "additionalProperties": false,
        "properties": [
            "platforms": DocumentSchema.list([
                "type": "object", "required": ["kind", "platform", "registrations"],
                "additionalProperties": false,
                "properties": [
                    "kind": kind, "platform": ["type": "string"], "registrations": count,
                ],
            ]),
            "registrations": count,
            "sample": DocumentSchema.list(DocumentSchema.reference("SampledRegistration")),
            "withoutDevice": [
                "type": "integer", "minimum": 0,
                "description": "How many lead to no device that this hub knows.",
            ],
        ],
    ]
}
