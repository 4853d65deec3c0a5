package import HubRelay
package import NIOCore
import NIOHPACK

/// Status and headers of an answer from its header block.
///
/// The client's table has no entries, so each block stands for itself.
package enum AnswerHead {
    /// The entry for status 200 in the static table, as a whole header.
    private static let good: UInt8 = 0x88

    /// The beginning of an answer; nil for one that only says that another will come.
    ///
    /// - Throws: when the block cannot be read.
    package static func read(_ block: ByteBuffer) throws(FrameFault) -> RelayAnswer? {
        // What else the services say with it means nothing to a lane.
        if block.getInteger(at: block.readerIndex, as: UInt8.self) == good {
            return RelayAnswer(status: 200)
        }
        var decoder = HPACKDecoder(
            allocator: ByteBufferAllocator(),
            maxDynamicTableSize: 0,
            maxHeaderListSize: StreamLimits.headerBytesMax
        )
        var rest = block
        let headers: HPACKHeaders
        do { headers = try decoder.decodeHeaders(from: &rest) } catch {
            throw FrameFault("headers: \(error)")
        }
        guard let text = headers.first(name: ":status"), let status = Int(text), status >= 200
        else { return nil }
        return RelayAnswer(
            status: status,
            headers: headers.filter { !$0.name.hasPrefix(":") }
                .map { (name: $0.name, value: $0.value) }
        )
    }
}
