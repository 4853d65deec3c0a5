package import HubTags

/// An installation as its owner wrote it: one document for each install of an app.
///
/// Source: REST reference §5.2.
package struct InstallationDocument: Equatable, Sendable {
    /// Chosen by the client; letters, digits and `-_@#.:=`; compares without ASCII case, as tags do.
    package var id: [UInt8]
    /// Of the push channel and of all secondary tiles.
    package var platform: Platform
    /// Whose installation it is; empty for nobody's.
    package var userID: [UInt8] = []
    /// When the installation and what was derived from it lapse; nil for never.
    package var expires: Timestamp?
    /// The installation's own channel, with its tags and templates.
    package var channel: InstallationChannel
    /// Variables of this device for all templates; names compare without case.
    package var pushVariables: [NamedValue] = []
    /// Secondary tiles (Windows), in the order written.
    package var tiles: [InstallationTile] = []

    /// Makes a document.
    package init(id: [UInt8], platform: Platform, channel: InstallationChannel) {
        self.id = id
        self.platform = platform
        self.channel = channel
    }
}

/// One handle with its tags and templates: the installation's own or that of a secondary tile.
package struct InstallationChannel: Equatable, Sendable {
    /// The handle.
    package var pushChannel: PushChannel
    /// Tags of everything that is derived from this channel.
    package var tags = TagSet()
    /// Templates by name, in the order written.
    package var templates: [InstallationTemplate] = []

    /// Makes a channel.
    package init(pushChannel: PushChannel) { self.pushChannel = pushChannel }
}

/// A secondary tile and its channel.
package struct InstallationTile: Equatable, Sendable {
    /// The tile's name.
    package var name: [UInt8]
    /// Where it is reached, and with what.
    package var channel: InstallationChannel
}

/// One template of an installation.
package struct InstallationTemplate: Equatable, Sendable {
    /// At most 200 bytes; may hold blanks.
    package var name: [UInt8]
    /// The template's text.
    package var body: [UInt8] = []
    /// Header templates in the order written; names compare without case.
    package var headers: [NamedValue] = []
    /// Expiry template; empty for none.
    package var expiry: [UInt8] = []
    /// Tags of this template alone.
    package var tags = TagSet()

    /// Makes a template without text.
    package init(name: [UInt8]) { self.name = name }

    /// The tag that the template has from its name; nil when it has none.
    ///
    /// It has one when it names no tag itself, or this one among them, whatever characters it has.
    /// As of every tag, blanks around it do not count. A name that begins with `$` never becomes a
    /// tag: those are the hub's. Source: REST reference §5.5.
    var nameTag: [UInt8]? {
        let tag = ASCII.trimmed(name)
        guard !tag.isEmpty, tag.first != UInt8(ascii: "$"),
            tags.isEmpty || tags.contains(tag.span)
        else { return nil }
        return tag
    }
}

/// A push handle as the client spelled it.
///
/// Browsers have three parts, written as an object or as the text of one; which it was is kept,
/// because clients expect their own form back. Source: REST reference §5.2, §18.
package enum PushChannel: Equatable, Sendable {
    /// A handle as text.
    case text([UInt8])
    /// A browser's subscription; `asText` when it was written as a string of JSON.
    case subscription(endpoint: [UInt8], p256dh: [UInt8], auth: [UInt8], asText: Bool)

    /// What registrations have as their handle.
    var handle: [UInt8] {
        switch self {
        case .text(let text): text
        case .subscription(let endpoint, _, _, _): endpoint
        }
    }

    /// The keys of a subscription, as registrations name them.
    var platformFields: [NamedValue] {
        guard case .subscription(_, let p256dh, let auth, _) = self else { return [] }
        return [
            NamedValue(name: Array("P256DH".utf8), value: p256dh),
            NamedValue(name: Array("Auth".utf8), value: auth),
        ]
    }
}

extension InstallationDocument {
    /// The document as it is stored and, with `pushChannelExpired`, as it is read again.
    ///
    /// Members in the order in which the service has them; empty ones are left out. Every template
    /// has tags: those it names, or its own name. Source: REST reference §5.2, §5.5.
    package func value(channelExpired: Bool? = nil) -> JSONTree {
        var members = [
            JSONMember("installationId", .string(id)),
            JSONMember("pushChannel", channel.pushChannel.value),
        ]
        if let channelExpired {
            members.append(JSONMember("pushChannelExpired", .boolean(channelExpired)))
        }
        let platform = Array(platform.installationName.utf8)
        members.append(JSONMember("platform", .string(platform)))
        let time = expires.map(TimeText.iso8601) ?? InstallationReader.never
        members.append(JSONMember("expirationTime", .string(Array(time.utf8))))
        if !userID.isEmpty { members.append(JSONMember("userId", .string(userID))) }
        members += channel.tagMembers
        members += pushVariables.member("pushVariables")
        members += channel.templateMembers
        if !tiles.isEmpty {
            let written = tiles.map { tile in
                JSONMember(tile.name, tile.channel.value)
            }
            members.append(JSONMember("secondaryTiles", .object(written)))
        }
        return .object(members)
    }
}

extension InstallationChannel {
    fileprivate var value: JSONTree {
        .object(
            [JSONMember("pushChannel", pushChannel.value)] + tagMembers + templateMembers
        )
    }

    fileprivate var tagMembers: [JSONMember] { tags.member }

    fileprivate var templateMembers: [JSONMember] {
        guard !templates.isEmpty else { return [] }
        let written = templates.map { JSONMember($0.name, $0.value) }
        return [JSONMember("templates", .object(written))]
    }
}

extension InstallationTemplate {
    fileprivate var value: JSONTree {
        var members = [JSONMember("body", .string(body))] + headers.member("headers")
        if !expiry.isEmpty { members.append(JSONMember("expiry", .string(expiry))) }
        let all = tags.isEmpty ? TagSet(nameTag.map { [$0] } ?? []) : tags
        return .object(members + all.member)
    }
}

extension PushChannel {
    fileprivate var value: JSONTree {
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

extension TagSet {
    fileprivate var member: [JSONMember] {
        guard !isEmpty else { return [] }
        let spelled = (0..<count).map { JSONTree.string(Array(bytes[range(at: $0)])) }
        return [JSONMember("tags", .array(spelled))]
    }
}

extension [NamedValue] {
    fileprivate func member(_ name: String) -> [JSONMember] {
        guard !isEmpty else { return [] }
        return [JSONMember(name, .object(map { JSONMember($0.name, .string($0.value)) }))]
    }
}
