import HubTags

/// Tag expressions, and tags as such.
///
/// Properties: errors point into the text; an expression agrees with its own negation; each
/// audience has a tag of the cover; an index selects exactly those registrations whose tag sets
/// match; and what may be stored as a tag can be named as an expression.
package func fuzzTagExpression(_ bytes: Span<UInt8>) {
    checkTag(bytes)
    do throws(TagError) {
        let expression = try TagExpression(parsing: bytes)
        precondition(expression.source == bytes.copied)
        checkTags(of: expression)
        checkAudience(of: expression)
    } catch {
        precondition(!error.reason.isEmpty)
        if let position = error.position {
            precondition((0...bytes.count).contains(position), "\(error) of \(bytes.count) bytes")
        }
    }
}

private func checkTag(_ tag: Span<UInt8>) {
    guard TagRules.checkIncludingReserved(tag) == nil else { return }
    do throws(TagError) {
        let expression = try TagExpression(parsing: tag)
        precondition(expression.tagCount == 1 && expression.tagRange(at: 0) == 0..<tag.count)
    } catch { preconditionFailure("a tag can't be named: \(error)") }
}

private func checkTags(of expression: TagExpression) {
    let limits = TagLimits.standard
    let most =
        expression.isOrOnly ? limits.expressionTagsOrOnlyMax : limits.expressionTagsMixedMax
    precondition((1...most).contains(expression.tagCount), "\(expression.tagCount) tags")
    var end = 0
    for index in 0..<expression.tagCount {
        let range = expression.tagRange(at: index)
        precondition(range.lowerBound >= end && !range.isEmpty, "tags overlap")
        precondition(TagRules.checkIncludingReserved(expression.tag(at: index)) == nil)
        end = range.upperBound
    }
}

/// Sixteen registrations whose tags are bits of their number, in some spelling.
private func checkAudience(of expression: TagExpression) {
    var index = TagIndex(seed: UInt64(expression.source.count))
    var expected: [SlotIndex] = []
    let cover = expression.cover { _ in 1 }
    for number in 0..<16 as Range<UInt32> {
        var tags = TagSet()
        for tag in 0..<expression.tagCount where number >> (UInt32(tag) & 3) & 1 != 0 {
            let spelling = expression.tag(at: tag).copied
            tags.append((number == 15 ? spelling.map(TagRules.fold) : spelling).span)
        }
        var ids: [TagID] = []
        for tag in 0..<tags.count { ids.append(index.intern(tags.tag(at: tag))) }
        index.insert(SlotIndex(raw: number), tags: ids)
        let matches = expression.matches(tags: tags)
        let has = { tags.contains(expression.tag(at: $0)) }
        precondition(expression.evaluate(has) == matches, "two ways, two answers")
        guard matches else { continue }
        expected.append(SlotIndex(raw: number))
        guard let cover else { continue }
        let touches = (0..<expression.tagCount).contains {
            cover.tags >> UInt64($0) & 1 != 0 && has($0)
        }
        precondition(touches, "addressed without a tag of the cover")
    }
    var audience: [SlotIndex] = []
    index.select(expression, within: nil, into: &audience)
    precondition(audience == expected, "the index selects others than match")
    checkNegation(of: expression, in: &index, audience)
}

/// `!(…)` must select everybody else; it may have too many tags or be too deep, though.
private func checkNegation(
    of expression: TagExpression,
    in index: inout TagIndex,
    _ audience: [SlotIndex]
) {
    let text = Array("!(".utf8) + expression.source + Array(")".utf8)
    guard let negation = try? TagExpression(parsing: text) else { return }
    var others: [SlotIndex] = []
    index.select(negation, within: nil, into: &others)
    precondition((others + audience).sorted() == (0..<16).map { SlotIndex(raw: $0) })
}

extension TagError {
    fileprivate var position: Int? {
        switch self {
        case .emptyExpression, .expressionTooLong, .tooManyTags: nil
        case .unexpected(let position), .unterminated(let position), .invalidTag(let position),
            .nestingTooDeep(let position, _), .tagTooLong(let position, _):
            position
        }
    }
}
