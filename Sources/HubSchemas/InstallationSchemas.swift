import HubVocabulary

/// The schemas of installations and what changes or lists them.
///
/// Source: REST §5.
enum InstallationSchemas: SchemaWords {
    static let components: [String: DocumentValue] = [
        "Installation": [
            "type": "object", "required": ["installationId", "platform", "pushChannel"],
            "properties": .object(
                channel.merging([
                    "installationId": [
                        "type": "string", "minLength": 1,
                        "description": "The one of the path; compares without case.",
                    ],
                    "platform": [
                        "type": "string",
                        "enum": .list(Platform.allCases.map { .text($0.installationName) }),
                    ],
                    "userId": text, "expirationTime": text, "pushVariables": texts,
                    "pushChannelExpired": ["type": "boolean", "readOnly": true],
                    "secondaryTiles": [
                        "type": "object",
                        "additionalProperties": [
                            "type": "object", "required": ["pushChannel"],
                            "properties": .object(channel),
                        ],
                    ],
                ]) { _, own in own }
            ),
        ],
        "InstallationTemplate": object(
            ["body": text],
            optional: ["headers": texts, "expiry": text, "tags": list(text)]
        ),
        "InstallationPatch": list(
            object(
                [
                    "op": ["type": "string", "enum": ["add", "remove", "replace"]],
                    "path": ["type": "string", "examples": ["/tags", "/templates/news"]],
                ],
                optional: ["value": [:]]
            )
        ),
        "InstallationPage": closed(
            ["total": count],
            optional: [
                "count": count, "continuationToken": text,
                "installations": list(
                    closed(
                        ["installationId": text, "platform": text],
                        optional: [
                            "expirationTime": text, "userId": text, "tags": list(text),
                            "templates": list(text), "secondaryTiles": list(text),
                        ]
                    )
                ),
            ]
        ),
    ]

    private static let texts: DocumentValue = ["type": "object", "additionalProperties": text]

    /// The members that an installation shares with each of its tiles.
    private static let channel: [String: DocumentValue] = [
        "pushChannel": [
            "description": "The handle; of a browser an object with its keys.",
            "type": ["string", "object"],
        ],
        "tags": list(text),
        "templates": [
            "type": "object",
            "additionalProperties": reference("InstallationTemplate"),
        ],
    ]
}
