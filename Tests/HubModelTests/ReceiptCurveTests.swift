import HubModel
import Testing

@Suite("Curves of receipts")
struct ReceiptCurveTests {
    @Test("an age at the end of a step counts in it, and one above the last in the last")
    func steps() {
        let ages = ReceiptCurve.ages
        #expect(ages == ages.sorted() && Set(ages).count == 16)
        for (step, age) in ages.enumerated() {
            var curve = ReceiptCurve()
            curve.add(.displayed, 2, age: age)
            curve.add(.displayed, 3, age: age + 1)
            let next = min(step + 1, ages.count - 1)
            #expect(curve[.displayed][step] == (next == step ? 5 : 2))
            #expect(curve[.displayed][next] == (next == step ? 5 : 3))
            #expect(curve.sums(.displayed).last == 5)
            #expect(curve.steps == next + 1)
        }
    }

    @Test("other kinds have none, and a full step stays full")
    func bounds() {
        var curve = ReceiptCurve()
        curve.add(.sent, 4, age: 0)
        #expect(curve == ReceiptCurve() && curve[.sent] == [] && curve.steps == 0)
        curve.add(.opened, .max, age: 0)
        #expect(curve[.opened][0] == UInt64(UInt32.max))
    }
}
