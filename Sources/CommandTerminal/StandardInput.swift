import Foundation

/// Standard input that a command reads whole, within a limit.
package enum StandardInput {
    /// Bytes of a payload; a hub's requests hold no more.
    package static let payloadBytesMax = 65_536
    /// Bytes of a password with its line end.
    package static let passwordBytesMax = 4_096

    /// Reads until the end.
    /// - Throws: `Failure` when there is more than the limit, or nothing can be read.
    package static func read(_ what: String, bytesMax: Int) throws -> [UInt8] {
        // One byte more tells that there is more.
        let data = try Failure.told {
            try FileHandle.standardInput.read(upToCount: bytesMax + 1) ?? Data()
        }
        guard data.count <= bytesMax else {
            throw Failure("the \(what) on standard input has more than \(bytesMax) bytes")
        }
        return [UInt8](data)
    }
}
