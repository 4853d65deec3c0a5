/// The schemas of JSON and XML bodies, by the names under which rows refer to them.
package enum DocumentSchema: SchemaWords {
    /// Every schema of the document.
    package static let components =
        own
        .merging(InspectionSchemas.components) { own, _ in own }
        .merging(InstallationSchemas.components) { own, _ in own }
        .merging(ListSchemas.components) { own, _ in own }

    private static let own: [String: DocumentValue] = [
        "Error": object([
            "Code": whole.noting("The status."),
            "Detail": text.noting(
                "Sub code and sentence, then `TrackingId:` and `TimeStamp:` of the answer."
            ),
        ]).noting("One line without white space between the elements.").adding([
            "xml": ["name": "Error"]
        ]),
        "OpenAPI": [
            "type": "object", "required": ["openapi", "info", "paths"],
            "properties": ["openapi": text],
        ],
        "SendLineOutcome": object(
            [
                "line": whole.noting("In the request, from 1."),
                "status": whole.noting("201, or that of a refusal."),
            ],
            optional: [
                "id": text.noting("Of what was accepted."),
                "location": text.noting("Of what was accepted."),
                "code": whole.noting("Sub code of a refusal."),
                "detail": text.noting("Of a refusal; names the field."),
                "outcome": [
                    "type": "string", "enum": ["unknown"],
                    "description": "Of a 503 after which the notification may be accepted.",
                ], "retryAfterSeconds": whole.noting("Of a refusal that passes by itself."),
            ]
        ).noting("One line of the answer; the whole is text, a line for each outcome.").adding([
            "examples": [
                [
                    "line": 1, "status": 201, "id": "019df1c0-1-1",
                    "location": "https://hubs.example.net/hub/messages/019df1c0-1-1",
                ], ["line": 2, "status": 400, "code": 40000, "detail": "tags: is empty"],
            ]
        ]),
        "Counters": object(
            [
                "notification": text, "sequence": whole, "state": text,
                "platforms": [
                    "type": "object",
                    "additionalProperties": ["type": "object", "additionalProperties": whole],
                ],
            ],
            optional: [
                "accepted": text, "expires": text, "fannedOut": text,
                "receipts": object([
                    "acknowledged": list(whole), "ageMilliseconds": list(whole),
                    "displayed": list(whole), "opened": list(whole),
                ]).noting("How many devices told of it up to each age."),
            ]
        ),
        "HubSettings": object([
            "deviceCap": whole, "logBytesWarned": whole, "purgedThrough": whole,
            "retentionSeconds": whole, "timeToLiveSeconds": whole,
        ]),
        "HubSettingsChange": object(optional: [
            "deviceCap": whole, "logBytesWarned": whole, "retentionSeconds": whole,
            "timeToLiveSeconds": whole,
        ]),
        "Explanation": object(
            [
                "notification": text, "reason": text, "sentence": text,
                "registrations": list(
                    object(
                        ["reason": text, "sentence": text],
                        optional: [
                            "tags": list(text), "tagsSince": whole, "tagsUntil": whole,
                            "terms": list(object(["holds": flag, "term": text])),
                            "registration": text, "platform": text, "slot": whole, "part": text,
                            "since": whole, "expires": text, "lastSeen": text, "newer": text,
                            "bytes": whole, "limit": whole,
                        ]
                    )
                ),
            ],
            optional: [
                "accepted": text, "place": whole, "expires": text,
                "receivers": text.noting("The tag expression, or words."),
                "fannedOut": text.noting(
                    "When it had come to every connected device that it is for."
                ),
            ]
        ),
        "Schedule": closed(
            [
                "id": text, "due": text, "scheduled": text, "format": text,
                "bytes": whole.noting("Of the payload."),
            ],
            optional: ["tags": text.noting("Absent for everybody.")]
        ),
        "Schedules": closed(
            ["schedules": list(reference("Schedule"))],
            optional: [
                "continuationToken": text.noting("Asks for the next page; absent on the last.")
            ]
        ),
        "Health": closed(
            [
                "hubs": count.noting("How many have a problem."), "problems": list(text),
                "status": ["enum": ["ok", "front", "unavailable"]],
            ],
            optional: [
                "leader": closed(["address": text, "node": text]).noting(
                    "Who leads, as a node says that does not."
                )
            ]
        ),
    ]
}
