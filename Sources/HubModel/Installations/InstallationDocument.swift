import HubTags
package import HubTemplates
package import HubVocabulary

/// An installation as its owner wrote it: one document for each install of an app.
///
/// Source: REST reference §5.2.
package struct InstallationDocument: Equatable, Sendable {
    /// Chosen by the client; letters, digits and `-_@#.:=`; compares without ASCII case, as tags do.
    package var id: [UInt8]
    /// Of the push channel and of all secondary tiles.
    package var platform: Platform
    /// The user of the installation; empty for none.
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

extension InstallationDocument {
    /// How a document without an end says so, as the service does.
    ///
    /// Source: REST reference §5.2.
    package static let never = "9999-12-31T23:59:59.9999999Z"

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
        let time = expires.map(TimeText.iso8601) ?? Self.never
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

extension TagSet {
    /// The tags as a JSON array, under their member; empty without tags.
    package var member: [JSONMember] {
        guard !isEmpty else { return [] }
        let spelled = (0..<count).map { JSONTree.string(Array(bytes[range(at: $0)])) }
        return [JSONMember("tags", .array(spelled))]
    }
}

extension [NamedValue] {
    /// The pairs as a JSON object under a name; empty without pairs.
    package func member(_ name: String) -> [JSONMember] {
        guard !isEmpty else { return [] }
        return [JSONMember(name, .object(map { JSONMember($0.name, .string($0.value)) }))]
    }
}
