import HubWire
import Testing

@testable import HubClient

@Suite("Receipts that wait")
struct ReceiptLimitTests {
    @Test("are as many as the limit, the oldest goes, and the same one waits once")
    func limit() {
        var state = DeviceState()
        func receipt(_ number: Int) -> Receipt {
            Receipt(
                notification: ID16(high: 1, low: UInt64(number)),
                event: 1,
                slot: 0,
                time: 0
            )
        }
        for number in 0..<DeviceState.receiptsMax {
            state.queue(receipt(number))
            state.queue(receipt(number))
        }
        #expect(state.receipts.count == DeviceState.receiptsMax)
        #expect(state.receipts.first == receipt(0))
        state.queue(receipt(DeviceState.receiptsMax))
        #expect(state.receipts.count == DeviceState.receiptsMax)
        #expect(state.receipts.first == receipt(1))
        #expect(state.receipts.last == receipt(DeviceState.receiptsMax))
    }
}
