package import HubModel
import HubTags
import HubVocabulary

/// Writes the document of a notification: members in the order that the strictest client reads, no
/// empty ones.
///
/// Source: REST §12.
package enum TelemetryWriter {
    /// Platforms in the order of their counts; the last three are known to few clients.
    private static let counts: [(platform: Platform, element: String)] = [
        (.apple, "Apns"), (.windowsPhone, "Mpns"), (.windows, "Wns"), (.gcm, "Gcm"),
        (.adm, "Adm"), (.fcmV1, "FcmV1"), (.baidu, "Baidu"), (.browser, "Browser"),
        (.xiaomi, "Xiaomi"),
    ]

    /// Platforms in the order of `TargetPlatforms`.
    private static let targets: [Platform] = [
        .windows, .apple, .gcm, .fcmV1, .windowsPhone, .adm, .baidu, .browser, .xiaomi,
    ]

    /// The document; `address` is where it was read, `errors` where its failures are told, if there
    /// are any.
    package static func xml(
        _ details: NotificationDetails,
        address: String,
        errors: String?
    ) -> [UInt8] {
        let record = details.record
        var output = XMLOutput()
        output.markup("<NotificationDetails xmlns=\"\(XMLNamespace.connect)\"")
        output.markup(" xmlns:i=\"\(XMLNamespace.instance)\">")
        output.element("NotificationId", text: NotificationAddress.text(record.id, record.sequence))
        output.element("Location", text: address)
        output.element("State", text: details.state.rawValue)
        output.element("EnqueueTime", text: CivilTime(record.id.time).isoMilliseconds)
        if let started = details.started {
            output.element("StartTime", text: CivilTime(started).isoMilliseconds)
        }
        if let ended = details.ended {
            output.element("EndTime", text: CivilTime(ended).isoMilliseconds)
        }
        output.element("NotificationBody", record.draft.body)
        if case .tags(let expression) = record.draft.target {
            output.element("Tags", expression.source)
        } else {
            output.element("Tags", record.draft.testedExpression)
        }
        output.element("TargetPlatforms", text: targetPlatforms(details))
        for (platform, name) in counts {
            if platform == .fcmV1, let errors {
                output.element("PnsErrorDetailsUri", text: errors)
            }
            let found = details.platforms.first { $0.platform == platform }
            let outcomes = found.map(outcomes) ?? []
            guard !outcomes.isEmpty else { continue }
            output.markup("<\(name)OutcomeCounts>")
            for (name, count) in outcomes {
                output.markup("<Outcome><Name>\(name)</Name><Count>\(count)</Count></Outcome>")
            }
            output.markup("</\(name)OutcomeCounts>")
        }
        output.markup("</NotificationDetails>")
        return output.bytes
    }

    /// The platform of a native send; for a template send those that matched, or all when it was for
    /// everybody.
    private static func targetPlatforms(_ details: NotificationDetails) -> String {
        switch details.record.draft.format {
        case .native(let platform): return platform.format
        case .template:
            var isBroadcast = false
            if case .broadcast = details.record.draft.target { isBroadcast = true }
            let meant = targets.filter { platform in
                isBroadcast || details.platforms.contains { $0.platform == platform }
            }
            return meant.map { "\($0.format)template" }.joined(separator: ",")
        }
    }

    /// Outcomes in the words of the API, without zeros.
    private static func outcomes(_ found: PlatformDetails) -> [(name: String, count: UInt64)] {
        [
            ("Success", found.succeeded),
            ("BadChannel", found.estimate.unknownHandle + found[.relayBadChannel]),
            ("ExpiredChannel", found[.relayExpiredChannel]),
            ("Dropped", found.dropped + found.relayDropped),
            ("WrongToken", found[.relayWrongToken]),
            (
                "InvalidNotificationFormat",
                found.estimate.templateError + found[.relayInvalidFormat]
            ),
            ("InvalidNotificationSize", found[.oversized] + found[.relayInvalidSize]),
            ("WrongChannel", found[.relayWrongChannel]),
            ("AbandonedNotificationMessages", found[.relayGaveUp]),
            ("UnknownError", found[.relayRefused]), ("Skipped", found[.skipped]),
        ].filter { $0.1 > 0 }
    }
}
