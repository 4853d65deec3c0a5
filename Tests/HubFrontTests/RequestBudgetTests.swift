import HubFront
import Testing

@Suite("Places of carried requests")
struct RequestBudgetTests {
    private static let limits = FrontLimits()

    @Test(
        "there are as many as the limit says, and one that is let go of is taken again",
        arguments: [true, false]
    )
    func requests(isKnown: Bool) {
        let budget = RequestBudget(Self.limits)
        let most = isKnown ? Self.limits.requests : Self.limits.strangers
        var places = (0..<most).map { _ in budget.enter(bytes: 0, isKnown: isKnown) }
        #expect(places.allSatisfy { $0 != nil })
        #expect(budget.enter(bytes: 0, isKnown: isKnown) == nil)
        places[0] = nil
        #expect(budget.requests == most - 1)
        places[0] = budget.enter(bytes: 0, isKnown: isKnown)
        #expect(places[0] != nil && budget.requests == most)
    }

    @Test("their bodies together have the limit's bytes at most", arguments: [true, false])
    func bytes(isKnown: Bool) {
        let budget = RequestBudget(Self.limits)
        let most = isKnown ? Self.limits.requestBytes : Self.limits.strangerBytes
        #expect(budget.enter(bytes: most + 1, isKnown: isKnown) == nil)
        var first = budget.enter(bytes: most - 1, isKnown: isKnown)
        #expect(first != nil && budget.enter(bytes: 2, isKnown: isKnown) == nil)
        let second = budget.enter(bytes: 1, isKnown: isKnown)
        #expect(second != nil)
        first = nil
        #expect(budget.enter(bytes: 2, isKnown: isKnown) != nil)
    }

    @Test("strangers take none from those whose token is known")
    func strangers() {
        let budget = RequestBudget(Self.limits)
        let taken = budget.enter(bytes: Self.limits.strangerBytes, isKnown: false)
        #expect(taken != nil && budget.enter(bytes: 1, isKnown: false) == nil)
        #expect(budget.enter(bytes: Self.limits.requestBytes, isKnown: true) != nil)
    }
}
