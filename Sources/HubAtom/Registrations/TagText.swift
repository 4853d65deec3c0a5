package import HubTags
package import HubVocabulary

/// Tags as one text, with commas between them.
///
/// Source: REST §6.1.
package enum TagText {
    /// The tags of a text: blanks around them are trimmed, empty ones dropped.
    ///
    /// - Throws: `.invalid` for field `Tags` when they are too long together.
    package static func read(
        _ text: some Collection<UInt8>,
        limits: CoreLimits
    ) throws(Refusal) -> TagSet {
        let parts = text.split(separator: UInt8(ascii: ",")).map {
            TextTrimming.trimmed(Array($0))
        }.filter { !$0.isEmpty }
        // Building a set is quadratic: the limit comes first.
        let size = parts.reduce(0) { $0 + $1.count + 1 } - 1
        let limit = limits.registrations.tagsBytesMax
        guard size <= limit else {
            throw .invalid(
                field: "Tags",
                reason: "Registration Tags serialized size is more than maximum supported value. "
                    + "Actual Size: '\(size)' and Max Allowed Size: '\(limit)'"
            )
        }
        return TagSet(parts)
    }
}
