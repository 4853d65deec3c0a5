import HubModel
@testable import HubServer
import Testing

@Suite("Recent records")
struct RecentRecordsTests {
    private static func records(
        _ range: ClosedRange<UInt64>,
        bytes: Int = 10
    ) -> [NotificationRecord] {
        range.map { Example.record($0, bytes: bytes) }
    }

    private static func numbers(_ page: [NotificationRecord]?) -> [UInt64]? {
        page.map { $0.map(\.sequence) }
    }

    @Test("are handed out in pages from any place of the window")
    func pages() {
        var recent = RecentRecords(recordsMax: 100, bytesMax: 1_000_000)
        #expect(recent.page(after: 0, through: 10, limit: 5) == nil)
        _ = recent.append(Self.records(1...10))
        #expect(Self.numbers(recent.page(after: 0, through: 10, limit: 3)) == [1, 2, 3])
        #expect(Self.numbers(recent.page(after: 3, through: 5, limit: 9)) == [4, 5])
        #expect(Self.numbers(recent.page(after: 8, through: 99, limit: 9)) == [9, 10])
        #expect(recent.page(after: 10, through: 10, limit: 9) == nil)
        #expect(recent.page(after: 10, through: 12, limit: 9) == nil)
    }

    @Test("forget the oldest past their number, and a place before the window is not theirs")
    func numberBound() {
        var recent = RecentRecords(recordsMax: 3, bytesMax: 1_000_000)
        for number in stride(from: UInt64(1), through: 19, by: 2) {
            _ = recent.append(Self.records(number...number + 1))
            let first = max(1, Int(number) - 1)
            let page = recent.page(after: UInt64(first - 1), through: number + 1, limit: 9)
            #expect(Self.numbers(page) == (first...Int(number) + 1).map { UInt64($0) })
            if first > 1 {
                #expect(recent.page(after: UInt64(first - 2), through: 99, limit: 9) == nil)
            }
        }
    }

    @Test("forget the oldest past their bytes, a single one too large included")
    func byteBound() {
        var recent = RecentRecords(recordsMax: 100, bytesMax: 100)
        _ = recent.append(Self.records(1...4, bytes: 40))
        #expect(Self.numbers(recent.page(after: 2, through: 9, limit: 9)) == [3, 4])
        #expect(recent.page(after: 1, through: 9, limit: 9) == nil)
        _ = recent.append(Self.records(5...5, bytes: 101))
        #expect(recent.page(after: 4, through: 9, limit: 9) == nil)
        _ = recent.append(Self.records(6...6, bytes: 100))
        #expect(Self.numbers(recent.page(after: 5, through: 9, limit: 9)) == [6])
    }
}
