/// One of the two keys of an access rule; raw values are those of requests.
package enum RuleKey: String, CaseIterable, Sendable {
    /// The first.
    case primary
    /// The second, for changing keys without a break.
    case secondary
}
