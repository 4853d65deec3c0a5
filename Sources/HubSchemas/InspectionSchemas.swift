/// The schemas of the own additions' answers.
enum InspectionSchemas: SchemaWords {
    static let components: [String: DocumentValue] = [
        "TagPage": closed(
            ["tags": list(closed(["registrations": count, "tag": text]))],
            optional: ["continuationToken": text.noting("Absent on the last page.")]
        ),
        "Relays": [
            "type": "object", "description": "By platform.",
            "additionalProperties": closed(
                [
                    "behind": count, "deferred": count, "open": count, "place": count,
                    "since": count, "answers": count, "waiting": count,
                    "credential": ["type": "string", "enum": ["untried", "works", "refused"]],
                    "rate": ["type": "number", "minimum": 0, "description": "Answers a second."],
                ],
                optional: [
                    "cause": text.noting("Why it rests; absent while it sends."),
                    "certificateEnd": time,
                    "oldest": time.noting("When the oldest notification was accepted that waits."),
                    "refusal": text.noting("Why the credential is refused."),
                ]
            ),
        ],
        "RelayCheck": closed(
            [
                "answer": [
                    "type": "string",
                    "enum": ["taken", "refused", "unanswered", "untestable", "noRelay"],
                ]
            ],
            optional: [
                "outcome": text.noting("The word that it would count as."),
                "reason": text.noting("The service's own word."),
            ]
        ),
        "RelaySkip": closed(["ended": count, "unread": count]),
        "Revocation": closed([
            "device": text,
            "generation": [
                "type": "integer", "minimum": 1,
                "description": "Of the key that it would have to prove.",
            ],
        ]),
        "Audience": audience,
        "Preview": audience,
        "SampledRegistration": closed(
            [
                "handle": text.noting("Its first four characters; the whole is a secret."),
                "id": text, "kind": kind, "platform": text, "tags": list(text),
            ],
            optional: [
                "bytes": count.noting("Of `text`."),
                "headers": ["type": "object", "additionalProperties": text],
                "problem": text.noting("Why nothing would be delivered."),
                "text": text.noting("What it would get; previews only."),
            ]
        ),
    ]

    private static let kind: DocumentValue = ["enum": ["native", "template"]]

    private static let audience: DocumentValue = closed([
        "platforms": list(closed(["kind": kind, "platform": text, "registrations": count])),
        "registrations": count, "sample": list(reference("SampledRegistration")),
        "withoutDevice": count.noting("How many lead to no device that this hub knows."),
    ])
}
