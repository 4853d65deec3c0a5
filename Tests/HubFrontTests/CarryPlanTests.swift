import HubFront
import HubVocabulary
import Testing

@Suite("The way of a carried request")
struct CarryPlanTests {
    private static let began = Instant(nanoseconds: 1_000_000_000)
    private static let limits = FrontLimits()

    private static func at(_ milliseconds: UInt64) -> Instant {
        began.adding(milliseconds: milliseconds)
    }

    private static func plan(_ rule: CarryRule) -> CarryPlan {
        CarryPlan(rule, began: began, limits: limits)
    }

    @Test(
        "what was never sent is tried until its time is over, whatever it is",
        arguments: [CarryRule.always, .withKey, .never],
        [CarryPlan.Outcome.unled, .unreached, .misdirected, .crowded]
    )
    func held(rule: CarryRule, outcome: CarryPlan.Outcome) {
        var plan = Self.plan(rule)
        let last = Self.limits.holdMilliseconds - 1
        // A node that is still loading the hubs is asked less often.
        let pause =
            outcome == .misdirected
            ? Self.limits.refusedPauseMilliseconds : Self.limits.pauseMilliseconds
        for milliseconds in [0, last] {
            let next = plan.next(after: outcome, now: Self.at(milliseconds))
            #expect(next == .again(afterMilliseconds: pause))
        }
        let end = plan.next(after: outcome, now: Self.at(last + 1))
        #expect(end == .giveUp(outcome == .crowded ? .crowded : .unled))
    }

    @Test("what may have been carried out is repeated where that changes nothing")
    func repeated() {
        for rule in [CarryRule.always, .withKey] {
            var plan = Self.plan(rule)
            #expect(!plan.isInDoubt)
            let again = plan.next(after: .lost, now: Self.at(10))
            #expect(again == .again(afterMilliseconds: Self.limits.pauseMilliseconds))
            #expect(plan.isInDoubt)
            // The doubt stays, also when the last attempts come to nothing.
            let end = plan.next(after: .unled, now: Self.at(Self.limits.holdMilliseconds))
            #expect(end == .giveUp(.unknownOutcome))
        }
    }

    @Test("anything else that was lost is given up at once")
    func lost() {
        var plan = Self.plan(.never)
        #expect(
            plan.next(after: .unreached, now: Self.at(0))
                == .again(afterMilliseconds: Self.limits.pauseMilliseconds)
        )
        #expect(plan.next(after: .lost, now: Self.at(1)) == .giveUp(.unknownOutcome))
    }

    @Test("a leader that can do nothing is asked again in time, or its word is passed on")
    func refused() {
        var plan = Self.plan(.withKey)
        #expect(
            plan.next(after: .refused, now: Self.at(0))
                == .again(afterMilliseconds: Self.limits.refusedPauseMilliseconds)
        )
        let end = Self.at(Self.limits.holdMilliseconds)
        #expect(plan.next(after: .refused, now: end) == .answer)
        var other = Self.plan(.never)
        #expect(other.next(after: .refused, now: Self.at(0)) == .answer)
    }

    @Test("behind a doubt no refusal is passed on that says that nothing was done")
    func doubts() {
        let end = Self.at(Self.limits.holdMilliseconds)
        for refusal in [CarryPlan.Outcome.refused, .declined] {
            var plan = Self.plan(.withKey)
            _ = plan.next(after: .lost, now: Self.at(0))
            #expect(plan.next(after: refusal, now: end) == .giveUp(.unknownOutcome))
            // A request that changes nothing twice may be told what holds now.
            var other = Self.plan(.always)
            _ = other.next(after: .lost, now: Self.at(0))
            #expect(other.next(after: .declined, now: Self.at(1)) == .answer)
        }
        var plan = Self.plan(.withKey)
        #expect(plan.next(after: .declined, now: Self.at(0)) == .answer)
        _ = plan.next(after: .lost, now: Self.at(0))
        #expect(plan.next(after: .settled, now: Self.at(1)) == .answer)
    }

    @Test("a leader's own doubt is one of the front's, and its word about it is passed on")
    func unanswered() {
        var plan = Self.plan(.withKey)
        #expect(
            plan.next(after: .unanswered, now: Self.at(0))
                == .again(afterMilliseconds: Self.limits.refusedPauseMilliseconds)
        )
        #expect(plan.isInDoubt)
        let end = Self.at(Self.limits.holdMilliseconds)
        var same = plan
        #expect(plan.next(after: .unanswered, now: end) == .answer)
        #expect(same.next(after: .unled, now: end) == .giveUp(.unknownOutcome))
        var never = Self.plan(.never)
        #expect(never.next(after: .unanswered, now: Self.at(0)) == .answer)
    }

    @Test("requests are held for two leases and some seconds, half a minute at most")
    func patience() {
        #expect(FrontLimits(leaseMilliseconds: 3_000).holdMilliseconds == 10_000)
        #expect(FrontLimits(leaseMilliseconds: 13_000).holdMilliseconds == 30_000)
        #expect(FrontLimits(leaseMilliseconds: 60_000).holdMilliseconds == 30_000)
    }
}
