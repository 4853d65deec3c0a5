import HubDirectory
import HubModel
import HubTags
import HubTemplates
import HubVocabulary

/// An answer that a test does not expect.
struct Unexpected: Error { var what: String }

/// What the directory's tests are made of.
enum Given {
    static let phone = DeviceID(high: 1, low: 2)
    static let tablet = DeviceID(high: 3, low: 4)

    static func tagSet(_ tags: String...) -> TagSet { TagSet(tags.map { Array($0.utf8) }) }

    static func content(
        _ handle: String = "AB01",
        _ platform: Platform = .apple,
        tags: TagSet = TagSet(),
        template: String? = nil
    ) -> RegistrationContent {
        RegistrationContent(
            platform: platform,
            handle: Array(handle.utf8),
            tags: tags,
            template: template.map {
                TemplateDefinition(name: Array("t".utf8), body: Array($0.utf8))
            }
        )
    }

    /// A shard's report of one device's cursor.
    static func progress(_ advance: CursorAdvance, applied: UInt64 = 0) -> DirectoryRequest {
        .progress(
            ProgressReport(
                shard: 0,
                applied: applied,
                appliedAt: Timestamp(milliseconds: 0),
                cursors: [advance]
            )
        )
    }

    static func draft(_ body: String = "{}") -> NotificationDraft {
        NotificationDraft(
            format: .native(.apple),
            target: .broadcast,
            body: Array(body.utf8),
            timeToLive: .seconds(60)
        )
    }

    /// A draft with an idempotency key.
    static func keyed(_ key: UInt64, _ body: String = "{}") -> NotificationDraft {
        var draft = draft(body)
        draft.idempotency = IdempotencyKey(
            scope: KeyHash(high: key, low: key),
            fingerprint: KeyHash(of: Array(body.utf8))
        )
        return draft
    }
}

extension NotificationDraft {
    /// The draft with the property bag that the rules of sends read from its body, if it is one.
    var asRead: NotificationDraft {
        var draft = self
        // Text that is no bag is what some tests send.
        if format == .template { draft.properties = try? PropertyBag(json: body.span) }
        return draft
    }
}

extension String {
    /// The bytes of its UTF-8.
    var utf8Bytes: [UInt8] { Array(utf8) }
}
