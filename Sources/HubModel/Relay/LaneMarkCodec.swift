package import HubVocabulary

/// The stored form of a lane's mark.
///
///     | 2 | epoch: u64 | scanned: u64 | given up: u64 | n: u32 | n x ( sequence: u64 | form: u8 |
///     | below: u32 | m: u32 | m x number: u32 ) |
///
/// Form 0 says that the numbers from `below` on are left but for those listed; form 1 that only those
/// listed are left, and `below` is 0.
package enum LaneMarkCodec {
    private static let format: UInt8 = 2

    /// Writes a mark.
    package static func encode(_ mark: LaneMark) -> [UInt8] {
        var writer = RecordWriter(format: format, capacity: 29 + mark.open.count * 32)
        writer.integer(mark.epoch)
        writer.integer(mark.scanned)
        writer.integer(mark.givenUp)
        writer.integer(UInt32(mark.open.count))
        for open in mark.open {
            writer.integer(open.sequence)
            let (form, below, numbers): (UInt8, UInt32, [UInt32]) =
                switch open.progress {
                case .through(let below, let done): (0, below, done)
                case .allBut(let left): (1, 0, left)
                }
            writer.integer(form)
            writer.integer(below)
            writer.integer(UInt32(numbers.count))
            for number in numbers { writer.integer(number) }
        }
        return writer.bytes
    }

    /// Reads what `encode` has written.
    ///
    /// - Throws: what is wrong with the bytes.
    package static func decode(_ bytes: Span<UInt8>) throws(RecordProblem) -> LaneMark {
        var reader = try RecordReader(bytes, format: format)
        var mark = LaneMark(
            epoch: try reader.integer(),
            scanned: try reader.integer(),
            givenUp: try reader.integer()
        )
        for _ in 0..<(try reader.integer(UInt32.self)) {
            let sequence = try reader.integer(UInt64.self)
            guard sequence > mark.open.last?.sequence ?? 0 else { throw .badField("sequence") }
            let form = try reader.integer(UInt8.self)
            let below = try reader.integer(UInt32.self)
            var numbers: [UInt32] = []
            for _ in 0..<(try reader.integer(UInt32.self)) {
                numbers.append(try reader.integer())
            }
            guard form == 0 || form == 1 && below == 0 else { throw .badField("form") }
            mark.open.append(
                LaneMark.Open(
                    sequence: sequence,
                    progress: form == 0
                        ? .through(below: below, done: numbers) : .allBut(numbers)
                )
            )
        }
        try reader.expectEnd()
        return mark
    }
}
