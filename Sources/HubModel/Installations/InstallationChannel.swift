package import HubTags
import HubTemplates

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

extension InstallationChannel {
    var value: JSONTree {
        .object(
            [JSONMember("pushChannel", pushChannel.value)] + tagMembers + templateMembers
        )
    }

    var tagMembers: [JSONMember] { tags.member }

    var templateMembers: [JSONMember] {
        guard !templates.isEmpty else { return [] }
        let written = templates.map { JSONMember($0.name, $0.value) }
        return [JSONMember("templates", .object(written))]
    }
}
