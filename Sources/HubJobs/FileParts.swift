import NIOCore
import SystemPackage

/// The parts of a file, read when they are asked for.
struct FileParts: AsyncSequence, Sendable {
    let file: SystemPackage.FileDescriptor

    struct Iterator: AsyncIteratorProtocol {
        let file: SystemPackage.FileDescriptor
        var place: Int64 = 0

        mutating func next() async throws -> ByteBuffer? {
            let block = try JobFile.read(file, at: place)
            place += Int64(block.count)
            return block.isEmpty ? nil : ByteBuffer(bytes: block)
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(file: file) }
}
