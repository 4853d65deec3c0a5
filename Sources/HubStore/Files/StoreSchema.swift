import Foundation

/// The layout of a hub's files, for tools that look without opening them.
package enum StoreSchema {
    /// The one that this release writes.
    package static var written: Int { SQLiteFile.schema }

    /// Where the header of a file of SQLite has `user_version`, four bytes, big-endian.
    private static let place = 60

    /// Returns the schema that a file says; nil when it is no file of a store.
    package static func found(inFile path: String) -> Int? {
        // One that cannot be read says nothing.
        guard let file = try? FileHandle(forReadingFrom: URL(fileURLWithPath: path)) else {
            return nil
        }
        // As above; the handle closes with its last use.
        let header = [UInt8]((try? file.read(upToCount: place + 4)) ?? Data())
        guard header.count == place + 4, header.starts(with: "SQLite format 3\0".utf8) else {
            return nil
        }
        return header[place...].reduce(0) { $0 << 8 | Int($1) }
    }
}
