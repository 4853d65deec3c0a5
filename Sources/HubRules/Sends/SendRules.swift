import Crypto
package import HubModel
import HubTags
package import HubVocabulary

/// Turns a send as it arrived into a draft that can be stored, or says what is wrong with it.
///
/// Source: REST reference §8; rules A.7, B.8, B.9, B.14, C.5, C.8.
package enum SendRules {
    /// Checks a send completely: what it returns is accepted once it is stored.
    ///
    /// `now` turns absolute expiries into seconds to live.
    /// - Throws: `.invalid` naming the header or `body`, with the position in it; `.tooLarge` for
    ///   a body or native payload over its limit; `.tooManyInRequest` for too many handles or headers.
    package static func draft(
        of request: SendRequest,
        now: Timestamp,
        limits: CoreLimits = .standard
    ) throws(Refusal) -> NotificationDraft {
        try check(request, now: now, due: nil, limits: limits).draft
    }

    /// Checks a send or, with `due`, a send for later, whose time to live counts from then.
    static func check(
        _ request: SendRequest,
        now: Timestamp,
        due: Timestamp?,
        limits: CoreLimits
    ) throws(Refusal) -> (draft: NotificationDraft, expiry: SendExpiry) {
        guard request.body.count <= limits.sends.requestBodyBytesMax else {
            throw .tooLarge(
                field: "body",
                bytes: request.body.count,
                limit: limits.sends.requestBodyBytesMax
            )
        }
        let format = try format(of: request)
        let target = try target(of: request, format: format, limits: limits)
        let content = try SendContent(of: request, format: format, limits: limits)
        let from = max(due ?? now, now)
        let expiry = try SendExpiry(of: request, content: content, format: format, from: from)
        let contentType = try request.value(of: .contentType) ?? []
        var draft = NotificationDraft(
            format: format,
            target: target,
            body: request.body,
            properties: content.properties,
            contentType: contentType.count <= limits.sends.contentTypeBytesMax ? contentType : [],
            headers: try headers(
                of: request,
                content: content,
                expiry: expiry,
                format: format,
                limits: limits
            ),
            timeToLive: expiry.timeToLive(now: from, limits: limits),
            collapseKey: try collapseKey(
                of: request,
                content: content,
                format: format,
                limits: limits
            ),
            priority: try priority(of: request, content: content, format: format),
            wantsReceipts: try wantsReceipts(request)
        )
        draft.hasDefaultLifetime = expiry == .none
        draft.idempotency = try IdempotencyKey(
            of: request,
            draft: draft,
            expiry: expiry,
            due: due,
            limits: limits
        )
        return (draft, expiry)
    }

    /// Absent is template; words compare without case.
    ///
    /// Source: REST reference §8.3.
    private static func format(of request: SendRequest) throws(Refusal) -> NotificationFormat {
        guard let value = try request.value(of: .format) else { return .template }
        if let format = self.format(word: value) { return format }
        let word = String(decoding: value, as: UTF8.self)
        let shown = PlainText.isVisibleASCII(value) && value.count <= 32 ? "'\(word)'" : "text"
        throw .invalid(
            field: SendHeader.format.spelling,
            reason: "The HTTP header 'ServiceBusNotification-Format' has an invalid value: \(shown)"
        )
    }

    /// The format of a word, without case; nil for none.
    ///
    /// Source: REST reference §8.3.
    package static func format(word: [UInt8]) -> NotificationFormat? {
        if ASCII.equal(word, "template".utf8) { return .template }
        return Platform(format: String(decoding: word, as: UTF8.self)).map { .native($0) }
    }

    private static func target(
        of request: SendRequest,
        format: NotificationFormat,
        limits: CoreLimits
    ) throws(Refusal) -> NotificationTarget {
        guard try !request.goesToHandles else {
            return .handles(try handles(of: request, format: format, limits: limits))
        }
        guard let text = try request.value(of: .tags) else { return .broadcast }
        do throws(TagError) {
            return .tags(try TagExpression(parsing: text, limits: limits.tags))
        } catch {
            throw .invalid(field: SendHeader.tags.spelling, reason: error.reason)
        }
    }

    /// Canonical spellings, each once, in the order given.
    ///
    /// Source: REST reference §9.
    private static func handles(
        of request: SendRequest,
        format: NotificationFormat,
        limits: CoreLimits
    ) throws(Refusal) -> [[UInt8]] {
        guard case .native(let platform) = format else {
            throw .invalid(
                field: SendHeader.format.spelling,
                reason: "a direct send needs a platform's format, not template"
            )
        }
        var given = request.handles ?? []
        var field = BatchBody.handlesField
        if request.handles == nil {
            field = SendHeader.deviceHandle.spelling
            if let handle = try request.value(of: .deviceHandle) { given = [handle] }
        } else if platform == .browser {
            throw .invalid(
                field: SendHeader.format.spelling,
                reason: "a batch cannot go to browsers: their handles alone lack the keys"
            )
        }
        guard !given.isEmpty else {
            throw .invalid(field: field, reason: "a direct send needs a device handle")
        }
        guard given.count <= limits.sends.directHandlesMax else {
            throw .tooManyInRequest(what: "device handles", limit: limits.sends.directHandlesMax)
        }
        var seen: Set<[UInt8]> = []
        var handles: [[UInt8]] = []
        for (index, handle) in given.enumerated() {
            do throws(Refusal) {
                let canonical = try RegistrationRules.handle(
                    handle,
                    platform: platform,
                    limits: limits
                )
                if seen.insert(canonical).inserted { handles.append(canonical) }
            } catch {
                let place = given.count == 1 ? "the handle" : "handle number \(index + 1)"
                throw .invalid(field: field, reason: "\(place) is none of this platform")
            }
        }
        return handles
    }

    /// Returns the headers that travel to devices, completed by those that the hub infers.
    private static func headers(
        of request: SendRequest,
        content: SendContent,
        expiry: SendExpiry,
        format: NotificationFormat,
        limits: CoreLimits
    ) throws(Refusal) -> [NamedValue] {
        var headers = try PassedHeaders.select(
            from: request.headers,
            format: format,
            limits: limits
        )
        func add(_ header: SendHeader, _ value: String) {
            guard !headers.contains(where: { ASCII.equal($0.name, header.rawValue.utf8) }) else {
                return
            }
            headers.append(
                NamedValue(name: Array(header.rawValue.utf8), value: Array(value.utf8))
            )
        }
        if let type = content.windowsType { add(.windowsType, type.rawValue) }
        if content.isBackground { add(.applePushType, "background") }
        if let seconds = expiry.appleSeconds {
            // Devices get seconds since 1970, however the send spelled the time.
            headers.removeAll {
                ASCII.equal($0.name, SendHeader.appleExpiration.rawValue.utf8)
            }
            add(.appleExpiration, "\(seconds)")
        }
        try PassedHeaders.checkSize(headers, limits: limits)
        return headers
    }

    /// `apns-collapse-id`, `X-WNS-Tag` and `X-WNS-Group`, or FCM's collapse key.
    ///
    /// A key of WNS or FCM that is too long is replaced by its SHA-256, so that equal keys stay
    /// equal; for Apple 64 bytes is the platform's own limit. Source: rules B.9.
    private static func collapseKey(
        of request: SendRequest,
        content: SendContent,
        format: NotificationFormat,
        limits: CoreLimits
    ) throws(Refusal) -> [UInt8] {
        if format.takes(.apple), let key = try request.value(of: .appleCollapse) {
            guard key.count <= limits.sends.collapseKeyBytesMax else {
                throw .invalid(
                    field: SendHeader.appleCollapse.spelling,
                    reason:
                        "has \(key.count) bytes; \(limits.sends.collapseKeyBytesMax) are allowed"
                )
            }
            return key
        }
        var key = content.collapseKey ?? []
        if format.takes(.windows), let tag = try request.value(of: .windowsTag) {
            key = tag
            // The separator is none that a header's value may hold.
            if let group = try request.value(of: .windowsGroup) { key += [0x1F] + group }
        }
        return key.count <= limits.sends.collapseKeyBytesMax ? key : Array(SHA256.hash(data: key))
    }

    /// `apns-priority`, `X-WNS-PRIORITY`, or FCM's priority; normal when nothing says otherwise.
    private static func priority(
        of request: SendRequest,
        content: SendContent,
        format: NotificationFormat
    ) throws(Refusal) -> NotificationPriority {
        if format.takes(.apple),
            let (header, value) = try request.first(of: [.applePriority, .dotNetPriority])
        {
            guard let number = ASCII.decimal(value).flatMap(UInt8.init(exactly:)) else {
                throw .invalid(field: header.spelling, reason: "must be an integer from 0 to 255")
            }
            return NotificationPriority(apple: number)
        }
        if format.takes(.windows), let value = try request.value(of: .windowsPriority) {
            switch String(decoding: ASCII.lower(value), as: UTF8.self) {
            case "high": return .high
            case "medium": return .normal
            case "low": return .low
            case "very-low": return .veryLow
            default:
                throw .invalid(
                    field: SendHeader.windowsPriority.spelling,
                    reason: "must be high, medium, low or very-low"
                )
            }
        }
        return content.priority ?? .normal
    }

    private static func wantsReceipts(_ request: SendRequest) throws(Refusal) -> Bool {
        guard let value = try request.value(of: .receipts) else { return false }
        switch String(decoding: ASCII.lower(value), as: UTF8.self) {
        case "true", "1": return true
        case "false", "0": return false
        default:
            throw .invalid(field: SendHeader.receipts.spelling, reason: "must be true or false")
        }
    }
}

extension NotificationFormat {
    /// Whether headers of a platform mean something to a send of this format.
    func takes(_ platform: Platform) -> Bool { self == .template || self == .native(platform) }
}
