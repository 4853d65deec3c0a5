package import HubTags
import HubTemplates
package import HubVocabulary

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
    package var nameTag: [UInt8]? {
        let tag = ASCII.trimmed(name)
        guard !tag.isEmpty, tag.first != UInt8(ascii: "$"),
            tags.isEmpty || tags.contains(tag.span)
        else { return nil }
        return tag
    }
}

extension InstallationTemplate {
    var value: JSONTree {
        var members = [JSONMember("body", .string(body))] + headers.member("headers")
        if !expiry.isEmpty { members.append(JSONMember("expiry", .string(expiry))) }
        let all = tags.isEmpty ? TagSet(nameTag.map { [$0] } ?? []) : tags
        return .object(members + all.member)
    }
}
