/// Every limit on tags and tag expressions.
///
/// Source: rules C.4; REST §6, §15.
package struct TagLimits: Equatable, Sendable {
    /// Longest tag, in bytes of UTF-8.
    package var tagBytesMax = 120
    /// Most tags a registration may have.
    package var tagsPerRegistrationMax = 60
    /// Most tags an expression may name when `||` is its only operator; at most 64.
    package var expressionTagsOrOnlyMax = 20
    /// Most tags an expression may name when `&&` or `!` occurs; at most 64.
    package var expressionTagsMixedMax = 10
    /// Deepest nesting of parentheses in an expression; at most 128, since each level is a call.
    package var expressionNestingMax = 16
    /// Longest expression, in bytes; at most 65,535.
    package var expressionBytesMax = 4_096

    /// The limits a hub has unless its configuration raises them.
    package static let standard = TagLimits()

    /// Starts from the standard limits.
    package init() {}
}
