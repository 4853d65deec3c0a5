package import HubVocabulary

/// The tag that a list asks for by `tag` or `user`.
package enum TagOfQuery {
    /// Returns the tag; nil when neither is there.
    ///
    /// - Throws: `.invalid` when both are.
    package static func read(_ target: RequestTarget) throws(Refusal) -> [UInt8]? {
        let tag = target.value("tag").flatMap { $0.isEmpty ? nil : $0 }
        guard let user = target.value("user"), !user.isEmpty else { return tag }
        guard tag == nil else {
            throw .invalid(field: "user", reason: "cannot be combined with 'tag'.")
        }
        return Array("$UserId:{".utf8) + user + Array("}".utf8)
    }
}
