import Testing

@testable import AppBackend

@Suite("Bytes of bodies that the backend holds")
struct MemoryBudgetTests {
    @Test("a user has their bytes, all together have theirs, and what ends gives them back")
    func edges() async throws {
        let budget = MemoryBudget(allMax: 150, perUserMax: 100)
        let (alice, bob) = (try UserName("alice"), try UserName("bob"))
        do {
            let one = budget.share(of: alice)
            try one.hold(60)
            let other = budget.share(of: alice)
            #expect(await refusal { try other.hold(41) } == 429)
            try other.hold(40)
            // The same bytes are not counted twice.
            try other.hold(40)
            try other.hold(7)
            #expect(budget.bytes == 100)
            let his = budget.share(of: bob)
            #expect(await refusal { try his.hold(51) } == 503)
            try his.hold(50)
            #expect(budget.bytes == 150 && budget.users == 2)
            withExtendedLifetime((one, other, his)) {}
        }
        #expect(budget.bytes == 0 && budget.users == 0)
        try budget.share(of: alice).hold(100)
        #expect(budget.bytes == 0)
    }

    @Test("the standard limits take two bodies of the largest content of a user, and more of all")
    func standard() {
        let limits = BackendLimits.standard
        let body = limits.content.richBytesMax / 3 * 4 + limits.requests.bodyBytesMax
        #expect(limits.requests.heldBytesPerUserMax >= 2 * body)
        #expect(limits.requests.heldBytesMax >= 4 * limits.requests.heldBytesPerUserMax)
        #expect(limits.answers.heldBytesPerUserMax >= 5 * limits.content.richBytesMax)
        #expect(limits.answers.heldBytesMax >= 4 * limits.answers.heldBytesPerUserMax)
    }
}
