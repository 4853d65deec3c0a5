import HubTemplates
package import HubVocabulary

/// A push handle as the client spelled it.
///
/// Browsers have three parts, written as an object or as the text of one; which it was is kept,
/// because clients expect their own form back. Source: REST reference §5.2, §18.
package enum PushChannel: Equatable, Sendable {
    /// A handle as text.
    case text([UInt8])
    /// A browser's subscription; `asText` when it was written as a string of JSON.
    case subscription(endpoint: [UInt8], p256dh: [UInt8], auth: [UInt8], asText: Bool)

    /// The handle that registrations have for this channel.
    package var handle: [UInt8] {
        switch self {
        case .text(let text): text
        case .subscription(let endpoint, _, _, _): endpoint
        }
    }

    /// The keys of a subscription, as registrations name them.
    package var platformFields: [NamedValue] {
        guard case .subscription(_, let p256dh, let auth, _) = self else { return [] }
        return [
            NamedValue(name: Array("P256DH".utf8), value: p256dh),
            NamedValue(name: Array("Auth".utf8), value: auth),
        ]
    }
}

extension PushChannel {
    var value: JSONTree {
        switch self {
        case .text(let text): return .string(text)
        case .subscription(let endpoint, let p256dh, let auth, let asText):
            let object = JSONTree.object([
                JSONMember("endpoint", .string(endpoint)),
                JSONMember("p256dh", .string(p256dh)), JSONMember("auth", .string(auth)),
            ])
            return asText ? .string(object.json) : object
        }
    }
}
