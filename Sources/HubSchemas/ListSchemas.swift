import HubHistory

/// The schemas of lists that operators read.
enum ListSchemas {
    static let components: [String: DocumentValue] = [
        "NotificationPage": page("notifications", of: "ListedNotification"),
        "ListedNotification": [
            "type": "object",
            "required": [
                "accepted", "acknowledged", "bytes", "dropped", "expires", "format", "id",
                "matchedConnected", "place", "receivers", "sent", "state",
            ],
            "additionalProperties": false,
            "properties": [
                "accepted": time, "acknowledged": count, "bytes": count,
                "dropped": [
                    "type": "integer", "minimum": 0,
                    "description": "Matches that will never be delivered.",
                ],
                "expires": time, "format": text, "id": text,
                "matchedConnected": [
                    "type": "integer", "minimum": 0,
                    "description": "Registrations of connected devices.",
                ],
                "place": count,
                "receivers": ["enum": ["everyone", "handles", "registrations", "tags"]],
                "sent": count, "state": ["enum": ["fannedOut", "processing"]],
                "tags": ["type": "string", "description": "Absent without an expression."],
            ],
        ],
        "DevicePage": page("devices", of: "ListedDevice"),
        "DeviceDetails": [
            "type": "object", "required": ["device", "registrations"],
            "additionalProperties": false,
            "properties": [
                "device": DocumentSchema.reference("ListedDevice"),
                "registrations": DocumentSchema.list(
                    DocumentSchema.reference("SampledRegistration")
                ),
            ],
        ],
        "ListedDevice": [
            "type": "object",
            "required": [
                "acknowledged", "behind", "device", "keyGeneration", "lastSeen", "registrations",
                "state",
            ],
            "additionalProperties": false,
            "properties": [
                "acknowledged": count,
                "behind": [
                    "type": "integer", "minimum": 0,
                    "description": "Places of the log that were not looked at for it yet.",
                ],
                "device": text, "keyGeneration": count, "lastSeen": time, "registrations": count,
                "state": ["enum": ["away", "connected"]],
            ],
        ],
        "AuditPage": page("entries", of: "AuditEntry"),
        "AuditEntry": [
            "type": "object",
            "required": ["number", "operation", "rule", "subject", "time", "tracking"],
            "additionalProperties": false,
            "properties": [
                "by": ["type": "string", "description": "Who acted in the console."],
                "hub": text, "number": count, "operation": text,
                "previous": [
                    "type": "string", "description": "A digest of the line before in its file.",
                ],
                "result": [
                    "type": "string",
                    "description": "`begun`, `done`, or `refused` with the status of the answer.",
                ],
                "rule": text,
                "subject": [
                    "type": "string",
                    "description": "Path, query, named fields of a form; long values are cut.",
                ],
                "time": time, "tracking": text,
            ],
        ],
        "EventPage": [
            "type": "object", "required": ["events", "last", "lost"],
            "additionalProperties": false,
            "properties": [
                "events": DocumentSchema.list(DocumentSchema.reference("Event")),
                "last": [
                    "type": "integer", "minimum": 0, "description": "`after` of the next page.",
                ],
                "lost": [
                    "type": "integer", "minimum": 0,
                    "description": "Events behind the number that are gone.",
                ],
            ],
        ],
        "Event": [
            "type": "object", "required": ["kind", "number", "time"],
            "additionalProperties": false,
            "properties": [
                "code": count, "count": count, "device": text, "format": text, "id": text,
                "kind": ["enum": .list(HubEvent.Kind.names.map { .text($0) })],
                "number": count, "operation": text,
                "receivers": ["enum": ["everyone", "handles", "registrations", "tags"]],
                "rule": text, "status": count, "tags": text, "text": text, "time": time,
                "tracking": text,
            ],
        ],
        "TestSteps": [
            "type": "object", "required": ["devices"], "additionalProperties": false,
            "properties": [
                "devices": DocumentSchema.list([
                    "type": "object", "required": ["device", "sent"],
                    "additionalProperties": false,
                    "properties": [
                        "acknowledged": [
                            "type": "number", "minimum": 0,
                            "description": "Milliseconds until the device had stored it.",
                        ],
                        "device": text,
                        "sent": [
                            "type": "number", "minimum": 0,
                            "description": "Milliseconds until it was written to the device.",
                        ],
                    ],
                ])
            ],
        ],
        "History": [
            "type": "object", "required": ["first", "series", "stepSeconds"],
            "additionalProperties": false,
            "properties": [
                "first": time,
                "series": [
                    "type": "object", "description": "By name; null where there was no reading.",
                    "additionalProperties": DocumentSchema.list(["type": ["number", "null"]]),
                ],
                "stepSeconds": count,
            ],
        ],
        "Keys": [
            "type": "object", "required": ["rules"], "additionalProperties": false,
            "properties": [
                "rules": DocumentSchema.list([
                    "type": "object",
                    "required": [
                        "created", "modified", "name", "primaryMade", "rights", "secondaryMade",
                    ],
                    "additionalProperties": false,
                    "properties": [
                        "created": time, "modified": time, "name": text, "primaryMade": time,
                        "primaryUsed": time, "secondaryUsed": time, "usedByDevices": time,
                        "rights": DocumentSchema.list(["enum": ["Listen", "Send", "Manage"]]),
                        "secondaryMade": time,
                    ],
                ])
            ],
        ],
        "NewKey": [
            "type": "object", "required": ["key", "rule", "value"], "additionalProperties": false,
            "properties": [
                "key": ["enum": ["primary", "secondary"]], "rule": text, "value": text,
            ],
        ],
        "ConsoleCode": [
            "type": "object", "required": ["code", "expires"], "additionalProperties": false,
            "properties": ["code": text, "expires": time, "relay": text],
        ],
        "HubList": [
            "type": "object", "required": ["hubs"], "additionalProperties": false,
            "properties": [
                "hubs": DocumentSchema.list([
                    "type": "object", "required": ["created", "modified", "name", "rules"],
                    "additionalProperties": false,
                    "properties": [
                        "created": time, "modified": time, "name": text,
                        "numbers": numbers, "rules": count,
                    ],
                ])
            ],
        ],
        "Cluster": [
            "type": "object",
            "required": ["leads", "nodes"],
            "additionalProperties": false,
            "properties": [
                "database": ["type": "string", "description": "Absent where files hold the hubs."],
                "fault": ["type": "string", "description": "Why the database cannot be asked."],
                "leads": [
                    "type": "boolean",
                    "description": "Whether the node that answers believes that it leads.",
                ],
                "leaseMilliseconds": [
                    "type": "integer", "minimum": 0, "description": "0 when no node leads.",
                ],
                "nodes": DocumentSchema.list([
                    "type": "object",
                    "required": [
                        "address", "answers", "node", "release", "seenMilliseconds", "state",
                    ],
                    "additionalProperties": false,
                    "properties": [
                        "address": text,
                        "answers": ["type": "boolean", "description": "Whether it is this one."],
                        "groupsBehind": [
                            "type": "integer", "minimum": 0,
                            "description": "Groups that copies of a node that waits lack.",
                        ],
                        "isAhead": [
                            "type": "boolean",
                            "description": "Whether one has seen more than the database holds.",
                        ],
                        "isWarm": [
                            "type": "boolean",
                            "description": "Whether it could lead without reading registrations.",
                        ],
                        "node": text, "release": text, "seenMilliseconds": count,
                        "state": ["enum": ["leads", "standby", "silent"]],
                    ],
                ]),
                "standbys": [
                    "type": "object", "description": "PostgreSQL's own.",
                    "required": ["connected", "synchronousNames"],
                    "additionalProperties": false,
                    "properties": [
                        "connected": count, "synchronous": count, "synchronousNames": text,
                    ],
                ],
                "term": count,
            ],
        ],
        "Server": [
            "type": "object",
            "required": ["now", "problems", "settings", "started", "uptimeSeconds", "version"],
            "additionalProperties": false,
            "properties": [
                "certificateEnd": time, "now": time, "numbersRead": time,
                "problems": DocumentSchema.list(text),
                "settings": DocumentSchema.list([
                    "type": "object", "required": ["name", "origin", "value"],
                    "additionalProperties": false,
                    "properties": [
                        "name": text,
                        "origin": ["enum": ["option", "environment", "file", "default"]],
                        "value": text,
                    ],
                ]),
                "started": time, "uptimeSeconds": count, "version": text,
            ],
        ],
    ]

    private static let numbers: DocumentValue = [
        "type": "object", "description": "Absent when the hub does not answer.",
        "required": [
            "connected", "devices", "installations", "logBytes", "logFirst", "logHead",
            "registrations", "schedules", "tags", "undeliverable", "waiting",
        ],
        "additionalProperties": false,
        "properties": [
            "connected": count, "devices": count, "installations": count, "logBytes": count,
            "logFirst": count, "logHead": count, "registrations": count, "schedules": count,
            "tags": count, "undeliverable": count, "waiting": count,
        ],
    ]
    private static let count: DocumentValue = ["type": "integer", "minimum": 0]
    private static let text: DocumentValue = ["type": "string"]
    private static let time: DocumentValue = ["type": "string", "format": "date-time"]

    /// A page of a list, which names the next one.
    private static func page(_ name: String, of entry: String) -> DocumentValue {
        let properties: [String: DocumentValue] = [
            name: DocumentSchema.list(DocumentSchema.reference(entry)),
            "continuationToken": ["type": "string", "description": "Absent on the last page."],
        ]
        return [
            "type": "object", "required": .list([.text(name)]), "additionalProperties": false,
            "properties": .object(properties),
        ]
    }
}
