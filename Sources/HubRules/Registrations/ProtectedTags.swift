package import HubModel
package import HubTags
package import HubVocabulary

/// Tags that only the backend gives: devices and Listen tokens may not set them.
///
/// `username:`, `from:` and everything that begins with `$`; the prefixes are configurable but for
/// `$`, and compare without ASCII case. Source: rules C.3.
package struct ProtectedTags: Equatable, Sendable {
    /// Prefixes in the order in which they are compared; `$` is always one.
    package let prefixes: [[UInt8]]
    /// Lets devices and Listen tokens set protected tags after all, as the cloud service does.
    package var listenMaySetProtectedTags: Bool

    /// Protects prefixes; empty ones are left out, since every tag begins with them.
    package init(
        prefixes: [String] = ["username:", "from:"],
        listenMaySet: Bool = false
    ) {
        self.prefixes =
            [[UInt8(ascii: "$")]] + prefixes.filter { !$0.isEmpty }.map { Array($0.utf8) }
        listenMaySetProtectedTags = listenMaySet
    }

    /// The first tag that a device or a Listen token may not set, as spelled; nil when it may set
    /// all of them.
    package func firstProtected(in tags: TagSet) -> [UInt8]? {
        guard !listenMaySetProtectedTags else { return nil }
        for index in 0..<tags.count where isProtected(tags.tag(at: index)) {
            return Array(tags.bytes[tags.range(at: index)])
        }
        return nil
    }

    /// Whether a tag belongs to the backend, whatever the switch says.
    package func isProtected(_ tag: Span<UInt8>) -> Bool {
        prefixes.contains { TagRules.hasPrefix(tag, $0.span) }
    }

    /// Refuses tags that a caller with this grant may not set.
    ///
    /// - Throws: `.protectedTag` with the first one, unless the grant has Manage.
    package func check(_ tags: TagSet, for grant: AccessGrant) throws(Refusal) {
        guard !grant.has(.manage), let tag = firstProtected(in: tags) else { return }
        throw .protectedTag(String(decoding: tag, as: UTF8.self))
    }
}
