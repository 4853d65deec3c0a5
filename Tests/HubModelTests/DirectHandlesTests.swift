import HubModel
import Testing

@Suite("Numbers of a direct send's handles")
struct DirectHandlesTests {
    /// Its hash is the largest number that there is.
    private static let last = Array("belfry:b9f4la".utf8)

    @Test("lie above those of registrations and below the largest number")
    func range() {
        let found = DirectHandles.byNumber([Self.last])
        #expect(found == [0x8000_0000: Self.last])
        #expect(DirectHandles.has(0x8000_0000) && !DirectHandles.has(0x7FFF_FFFF))
    }
}
