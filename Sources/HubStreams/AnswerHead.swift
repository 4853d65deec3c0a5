package import HubRelay
package import NIOCore
import NIOHPACK

/// Status and headers of an answer from its header block.
///
/// The client's table has no entries, so each block stands for itself.
package enum AnswerHead: Sendable {
    /// The beginning of an answer.
    case answer(RelayAnswer)
    /// Another answer will come.
    case informational
    /// Headers that are longer than any that are read.
    case tooLong

    /// The entry for status 200 in the static table, as a whole header.
    private static let good: UInt8 = 0x88

    /// Whether a block says status 200; what else the services say with it means nothing to a lane.
    package static func isGood(_ block: ByteBuffer) -> Bool {
        block.getInteger(at: block.readerIndex, as: UInt8.self) == good
    }

    /// Reads a block.
    ///
    /// - Throws: when it cannot be read.
    package static func read(_ block: ByteBuffer) throws(FrameFault) -> AnswerHead {
        if isGood(block) { return .answer(RelayAnswer(status: 200)) }
        var decoder = HPACKDecoder(
            allocator: ByteBufferAllocator(),
            maxDynamicTableSize: 0,
            maxHeaderListSize: StreamLimits.headerBytesMax
        )
        var rest = block
        let headers: HPACKHeaders
        do { headers = try decoder.decodeHeaders(from: &rest) } catch {
            if error is NIOHPACKErrors.MaxHeaderListSizeViolation { return .tooLong }
            throw FrameFault("headers: \(error)")
        }
        guard let text = headers.first(name: ":status"), let status = Int(text), status >= 200
        else { return .informational }
        return .answer(
            RelayAnswer(
                status: status,
                headers: headers.filter { !$0.name.hasPrefix(":") }
                    .map { (name: $0.name, value: $0.value) }
            )
        )
    }
}
