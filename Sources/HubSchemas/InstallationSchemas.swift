import HubVocabulary

/// The schemas of installations and what changes or lists them.
///
/// Source: REST §5.
enum InstallationSchemas {
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
        "InstallationTemplate": [
            "type": "object", "required": ["body"],
            "properties": [
                "body": text, "headers": texts, "expiry": text, "tags": DocumentSchema.list(text),
            ],
        ],
        "InstallationPatch": DocumentSchema.list([
            "type": "object", "required": ["op", "path"],
            "properties": [
                "op": ["type": "string", "enum": ["add", "remove", "replace"]],
                "path": ["type": "string", "examples": ["/tags", "/templates/news"]],
                "value": [:],
            ],
        ]),
        "InstallationPage": [
            "type": "object", "required": ["total"], "additionalProperties": false,
            "properties": [
                "count": number, "total": number, "continuationToken": text,
                "installations": DocumentSchema.list([
                    "type": "object", "required": ["installationId", "platform"],
                    "additionalProperties": false,
                    "properties": [
                        "installationId": text, "platform": text, "expirationTime": text,
                        "userId": text, "tags": DocumentSchema.list(text),
                        "templates": DocumentSchema.list(text),
                        "secondaryTiles": DocumentSchema.list(text),
                    ],
                ]),
            ],
        ],
    ]

    private static let text: DocumentValue = ["type": "string"]
    private static let texts: DocumentValue = ["type": "object", "additionalProperties": text]
    private static let number: DocumentValue = ["type": "integer", "minimum": 0]

    /// The members that an installation shares with each of its tiles.
    private static let channel: [String: DocumentValue] = [
        "pushChannel": [
            "description": "The handle; of a browser an object with its keys.",
            "type": ["string", "object"],
        ],
        "tags": DocumentSchema.list(text),
        "templates": [
            "type": "object",
            "additionalProperties": DocumentSchema.reference("InstallationTemplate"),
        ],
    ]
}
