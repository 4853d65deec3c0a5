import HubFront
import Testing

@Suite("Places of carried requests")
struct RequestBudgetTests {
    @Test("there are as many as the limit says, and one that is given back is taken again")
    func requests() {
        let limits = FrontLimits()
        let budget = RequestBudget(limits)
        for _ in 0..<limits.requests { #expect(budget.enter(bytes: 0)) }
        #expect(!budget.enter(bytes: 0))
        budget.leave(bytes: 0)
        #expect(budget.enter(bytes: 0) && budget.requests == limits.requests)
    }

    @Test("their bodies together have the limit's bytes at most")
    func bytes() {
        let limits = FrontLimits()
        let budget = RequestBudget(limits)
        #expect(!budget.enter(bytes: limits.requestBytes + 1))
        #expect(budget.enter(bytes: limits.requestBytes - 1))
        #expect(!budget.enter(bytes: 2))
        #expect(budget.enter(bytes: 1))
        budget.leave(bytes: limits.requestBytes - 1)
        #expect(budget.enter(bytes: 2))
    }
}
