import HubHistory

/// The schemas of lists that operators read.
enum ListSchemas: SchemaWords {
    static let components: [String: DocumentValue] = [
        "NotificationPage": page("notifications", of: reference("ListedNotification")),
        "ListedNotification": closed(
            [
                "accepted": time, "acknowledged": count, "bytes": count,
                "dropped": count.noting("Matches that will never be delivered."), "expires": time,
                "format": text, "id": text,
                "matchedConnected": count.noting("Registrations of connected devices."),
                "place": count,
                "receivers": ["enum": ["everyone", "handles", "registrations", "tags"]],
                "sent": count, "state": ["enum": ["fannedOut", "processing"]],
            ],
            optional: ["tags": text.noting("Absent without an expression.")]
        ),
        "DevicePage": page("devices", of: reference("ListedDevice")),
        "DeviceDetails": closed([
            "device": reference("ListedDevice"),
            "registrations": list(reference("SampledRegistration")),
        ]),
        "ListedDevice": closed([
            "acknowledged": count,
            "behind": count.noting("Places of the log that were not looked at for it yet."),
            "device": text, "keyGeneration": count, "lastSeen": time, "registrations": count,
            "state": ["enum": ["away", "connected"]],
        ]),
        "AuditPage": page("entries", of: reference("AuditEntry")),
        "AuditEntry": closed(
            [
                "number": count, "operation": text, "rule": text,
                "subject": text.noting("Path, query, named fields of a form; long values are cut."),
                "time": time, "tracking": text,
            ],
            optional: [
                "by": text.noting("Who acted in the console."), "hub": text,
                "previous": text.noting("A digest of the line before in its file."),
                "result": text.noting(
                    "`begun`, `done`, or `refused` with the status of the answer."
                ),
            ]
        ),
        "EventPage": closed([
            "events": list(reference("Event")), "last": count.noting("`after` of the next page."),
            "lost": count.noting("Events behind the number that are gone."),
        ]),
        "Event": closed(
            [
                "kind": ["enum": .list(HubEvent.Kind.names.map { .text($0) })], "number": count,
                "time": time,
            ],
            optional: [
                "code": count, "count": count, "device": text, "format": text, "id": text,
                "operation": text,
                "receivers": ["enum": ["everyone", "handles", "registrations", "tags"]],
                "rule": text, "status": count, "tags": text, "text": text, "tracking": text,
            ]
        ),
        "TestSteps": closed([
            "devices": list(
                closed(
                    [
                        "device": text,
                        "sent": [
                            "type": "number", "minimum": 0,
                            "description": "Milliseconds until it was written to the device.",
                        ],
                    ],
                    optional: [
                        "acknowledged": [
                            "type": "number", "minimum": 0,
                            "description": "Milliseconds until the device had stored it.",
                        ]
                    ]
                )
            )
        ]),
        "History": closed([
            "first": time,
            "series": [
                "type": "object", "description": "By name; null where there was no reading.",
                "additionalProperties": list(["type": ["number", "null"]]),
            ], "stepSeconds": count,
        ]),
        "Keys": closed([
            "rules": list(
                closed(
                    [
                        "created": time, "modified": time, "name": text, "primaryMade": time,
                        "rights": list(["enum": ["Listen", "Send", "Manage"]]),
                        "secondaryMade": time,
                    ],
                    optional: ["primaryUsed": time, "secondaryUsed": time, "usedByDevices": time]
                )
            )
        ]),
        "NewKey": closed(["key": ["enum": ["primary", "secondary"]], "rule": text, "value": text]),
        "ConsoleCode": closed(["code": text, "expires": time], optional: ["relay": text]),
        "HubList": closed([
            "hubs": list(
                closed(
                    ["created": time, "modified": time, "name": text, "rules": count],
                    optional: ["numbers": numbers]
                )
            )
        ]),
        "Cluster": closed(
            [
                "leads": flag.noting("Whether the node that answers believes that it leads."),
                "nodes": list(
                    closed(
                        [
                            "address": text, "answers": flag.noting("Whether it is this one."),
                            "node": text, "release": text, "seenMilliseconds": count,
                            "state": ["enum": ["leads", "standby", "silent"]],
                        ],
                        optional: [
                            "groupsBehind": count.noting(
                                "Groups that copies of a node that waits lack."
                            ),
                            "isAhead": flag.noting(
                                "Whether one has seen more than the database holds."
                            ),
                            "isWarm": flag.noting(
                                "Whether it could lead without reading registrations."
                            ),
                        ]
                    )
                ),
            ],
            optional: [
                "database": text.noting("Absent where files hold the hubs."),
                "fault": text.noting("Why the database cannot be asked."),
                "leaseMilliseconds": count.noting("0 when no node leads."),
                "standbys": closed(
                    ["connected": count, "synchronousNames": text],
                    optional: ["synchronous": count]
                ).noting("PostgreSQL's own."), "term": count,
            ]
        ),
        "Server": closed(
            [
                "now": time, "problems": list(text),
                "settings": list(
                    closed([
                        "name": text,
                        "origin": ["enum": ["option", "environment", "file", "default"]],
                        "value": text,
                    ])
                ), "started": time, "uptimeSeconds": count, "version": text,
            ],
            optional: ["certificateEnd": time, "numbersRead": time]
        ),
    ]

    private static let numbers: DocumentValue = closed([
        "connected": count, "devices": count, "installations": count, "logBytes": count,
        "logFirst": count, "logHead": count, "registrations": count, "schedules": count,
        "tags": count, "undeliverable": count, "waiting": count,
    ]).noting("Absent when the hub does not answer.")
}
