package import HubModel
import HubTags
package import HubVocabulary

// Queries that memory alone answers.

extension RegistrationTable {
    /// The facts about a live registration that are in memory; nil when no live one has the number.
    package func facts(of number: RegistrationNumber) -> RegistrationFacts? { columns[number] }

    /// Numbers of the registrations with a tag, ascending.
    package func numbers(tag: [UInt8]) -> [RegistrationNumber] {
        tags.lookup(tag.span).map { select(nil, within: $0) } ?? []
    }

    /// Numbers of the registrations that a target selects by their present tags, ascending; none
    /// where it names them itself.
    package func numbers(of target: NotificationTarget) -> [RegistrationNumber] {
        switch target {
        case .broadcast: select(nil, within: nil)
        case .tags(let expression): select(expression, within: nil)
        case .handles, .slots: []
        }
    }

    /// The first live registrations above a number whose present tags did not hold at a place and
    /// whose facts are asked for, ascending; takes the numbers that it looks at from `looks`.
    package func numbers(
        taggedBehind sequence: UInt64,
        above number: UInt32?,
        limit: Int,
        looks: inout Int,
        where isWanted: (RegistrationFacts) -> Bool
    ) -> [RegistrationNumber] {
        columns.numbers(
            taggedBehind: sequence,
            above: number,
            limit: limit,
            looks: &looks,
            where: isWanted
        )
    }

    /// Live numbers among those of a range, ascending.
    package func numbers(in range: ClosedRange<UInt32>) -> [RegistrationNumber] {
        range.lazy.map { RegistrationNumber($0) }.filter { self.columns.isLive($0) }
    }

    /// Whether a live registration has a tag, in any spelling.
    package func has(_ tag: [UInt8], _ number: RegistrationNumber) -> Bool {
        tags.lookup(tag.span).map { tags.has($0, SlotIndex(raw: number.raw)) } ?? false
    }

    /// Whether the present tags of a live registration satisfy an expression.
    func matches(_ expression: TagExpression, _ number: RegistrationNumber) -> Bool {
        expression.evaluate { index in
            tags.lookup(expression.tag(at: index)).map {
                tags.has($0, SlotIndex(raw: number.raw))
            } ?? false
        }
    }

    /// Calls `body` with every tag of a registration in the spelling that the hub saw first.
    package func forEachTag(of number: RegistrationNumber, _ body: (Span<UInt8>) -> Void) {
        tags.forEachTag(of: SlotIndex(raw: number.raw)) { tag in
            tags.withSpelling(of: tag) { body($0) }
        }
    }

    /// Registrations with a tag above a number, ascending, until `body` says no; looks at so many.
    ///
    /// - Returns: the last one looked at when so many were; nil otherwise.
    package func forEach(
        tag: [UInt8],
        after number: RegistrationNumber,
        looking count: Int,
        _ body: (RegistrationNumber) -> Bool
    ) -> RegistrationNumber? {
        guard let known = tags.lookup(tag.span) else { return nil }
        var left = count
        var last = number
        tags.forEachSlot(of: known, above: SlotIndex(raw: number.raw)) { slot in
            last = RegistrationNumber(slot.raw)
            left -= 1
            return body(last) && left > 0
        }
        return left > 0 ? nil : last
    }

    /// How many different tags there are.
    var tagCount: Int { tags.tagCount }

    /// How many registrations have a tag, in any spelling.
    package func count(tag: Span<UInt8>) -> Int { tags.lookup(tag).map { tags.count(of: $0) } ?? 0 }

    /// Each tag in use, with how many registrations have it; see `TagIndex.forEachTag`.
    package func forEachTag(
        from start: UInt32,
        looking count: Int,
        _ body: (Span<UInt8>, Int) -> Void
    ) -> UInt32? {
        tags.forEachTag(from: start, looking: count, body)
    }

    /// Live numbers above a number, ascending, until `body` says no; looks at so many numbers,
    /// living or not.
    ///
    /// - Returns: the last number looked at; nil when there are no more.
    package func forEach(
        after number: RegistrationNumber,
        looking count: Int,
        _ body: (RegistrationNumber) -> Bool
    ) -> RegistrationNumber? {
        var raw = number.raw
        var left = count
        while raw < numberMax, left > 0 {
            raw += 1
            left -= 1
            let number = RegistrationNumber(raw)
            if columns.isLive(number), !body(number) { break }
        }
        return raw < numberMax ? RegistrationNumber(raw) : nil
    }
}
