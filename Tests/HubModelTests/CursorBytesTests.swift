import HubModel
import HubVocabulary
import Testing

@Suite("Cursors as bytes")
struct CursorBytesTests {
    private static let changes: [CursorChange] = [
        .forget(DeviceID(high: 1, low: 2)),
        .merge(
            StoredCursor(
                device: DeviceID(high: 1, low: 2),
                acknowledged: 3,
                scannedThrough: 4,
                lastSeen: Timestamp(milliseconds: 1_763_700_000_000),
                evaluatedThrough: 5
            )
        ),
        // Seen at the very beginning, and yet no device to be forgotten.
        .merge(
            StoredCursor(
                device: DeviceID(high: .max, low: .max),
                acknowledged: .max,
                scannedThrough: .max,
                lastSeen: Timestamp(milliseconds: 0)
            )
        ),
    ]

    @Test("are read as they were written, changes too")
    func roundTrip() {
        let bytes = CursorBytes.pack(Self.changes)
        #expect(bytes.count == 3 * CursorBytes.size)
        #expect(CursorBytes.changes(bytes).map { "\($0)" } == "\(Self.changes)")
        let cursors = Array(bytes[CursorBytes.size...])
        #expect(CursorBytes.cursors(cursors).map { CursorBytes.pack($0) } == cursors)
        #expect(CursorBytes.changes([])?.isEmpty == true && CursorBytes.cursors([]) == [])
    }

    @Test("of another length or an unknown kind are none, nor is a forgotten device a cursor")
    func refused() {
        let bytes = CursorBytes.pack(Self.changes)
        #expect(CursorBytes.cursors(bytes) == nil)
        for count in 1..<CursorBytes.size {
            #expect(CursorBytes.changes(Array(bytes.prefix(count))) == nil, "\(count) bytes")
        }
        for kind in UInt8(2)...255 {
            var unknown = bytes
            unknown[32] = kind
            #expect(CursorBytes.changes(unknown) == nil, "kind \(kind)")
        }
    }
}
