import Foundation

/// The last backup of a data folder, as the folder itself knows it.
package struct LastBackup: Codable, Sendable {
    /// Milliseconds since 1970.
    package var madeAt: UInt64
    /// Whether each row of it was read back.
    package var isVerified: Bool

    private static let name = "last-backup.json"

    /// Describes a backup.
    package init(madeAt: UInt64, isVerified: Bool) {
        self.madeAt = madeAt
        self.isVerified = isVerified
    }

    /// Reads it; nil when none is known.
    package static func read(data: String) -> LastBackup? {
        FileManager.default.contents(atPath: data + "/" + name).flatMap { bytes in
            // One that cannot be read is not known.
            try? JSONDecoder().decode(LastBackup.self, from: bytes)
        }
    }

    /// Keeps it in the folder.
    package func write(data: String) throws {
        try DataFolder.write([UInt8](JSONEncoder().encode(self)), to: data + "/" + Self.name)
    }
}
