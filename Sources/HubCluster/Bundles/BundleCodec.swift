package import HubVocabulary

/// Sends that a front carries to the leader in one request, and the leader's answers to them.
///
///     bundle  | format: u8 = 1 | count: u16
///             | n x ( client: str8 | authority: str16 | target: str16 | headers | body: str32 )
///     answers | format: u8 = 1 | count: u16 | n x ( status: u16 | headers | body: str32 )
///     headers | count: u8 | n x ( name: str16 | value: str16 )
///
/// Answers stand in the order of their sends. Integers are big-endian. All nodes of a database have
/// the same release, so there is one format.
package enum BundleCodec {
    /// The first byte of what is written.
    package static let format: UInt8 = 1

    /// The bytes of 65,535 sends at most, each of them one that fits.
    package static func encode(_ sends: [CarriedSend]) -> [UInt8] {
        var writer = RecordWriter(format: format, capacity: sends.reduce(3) { $0 + $1.byteCount })
        writer.integer(UInt16(sends.count))
        for send in sends {
            writer.short(send.client)
            writer.medium(send.authority)
            writer.medium(send.target)
            writer.pairs(send.headers)
            writer.long(send.body)
        }
        return writer.bytes
    }

    /// The sends of some bytes.
    ///
    /// - Throws: what is wrong with the bytes. Never traps, whatever they are.
    package static func sends(in bytes: Span<UInt8>) throws(RecordProblem) -> [CarriedSend] {
        var reader = try RecordReader(bytes, format: format)
        var sends: [CarriedSend] = []
        for _ in 0..<(try reader.integer(UInt16.self)) {
            sends.append(
                CarriedSend(
                    client: try reader.short(),
                    authority: try reader.medium(),
                    target: try reader.medium(),
                    headers: try reader.pairs(),
                    body: try reader.long()
                )
            )
        }
        try reader.expectEnd()
        return sends
    }

    /// The bytes of answers, each of them one that fits.
    package static func encode(_ answers: [BundledAnswer]) -> [UInt8] {
        var writer = RecordWriter(format: format, capacity: 512 * answers.count)
        writer.integer(UInt16(answers.count))
        for answer in answers {
            writer.integer(answer.status)
            writer.pairs(answer.headers)
            writer.long(answer.body)
        }
        return writer.bytes
    }

    /// The answers of some bytes.
    ///
    /// - Throws: what is wrong with the bytes. Never traps, whatever they are.
    package static func answers(in bytes: Span<UInt8>) throws(RecordProblem) -> [BundledAnswer] {
        var reader = try RecordReader(bytes, format: format)
        var answers: [BundledAnswer] = []
        for _ in 0..<(try reader.integer(UInt16.self)) {
            answers.append(
                BundledAnswer(
                    status: try reader.integer(),
                    headers: try reader.pairs(),
                    body: try reader.long()
                )
            )
        }
        try reader.expectEnd()
        return answers
    }

    static func fits(_ headers: [NamedValue]) -> Bool {
        headers.count <= UInt8.max
            && headers.allSatisfy {
                $0.name.count <= UInt16.max && $0.value.count <= UInt16.max
            }
    }
}
