package import HubVocabulary

/// A data folder and the disk below it.
package struct FolderFacts: Sendable {
    /// A file or folder with its permission bits.
    package struct Entry: Sendable {
        /// Its path.
        package var path: String
        /// Permission bits.
        package var mode: Int

        /// Makes one of its parts.
        package init(path: String, mode: Int) {
            self.path = path
            self.mode = mode
        }
    }

    /// Files of a hub that a start would copy and change.
    package struct OldFiles: Sendable {
        /// The hub's name.
        package var hub: String
        /// The schema of the files.
        package var schema: Int
        /// Bytes of all of them.
        package var bytes: Int

        /// Makes one of its parts.
        package init(hub: String, schema: Int, bytes: Int) {
            self.hub = hub
            self.schema = schema
            self.bytes = bytes
        }
    }

    /// Knowledge of backups.
    package enum Backup: Sendable {
        /// None was made.
        case none
        /// The last one, and whether each row of it was read back.
        case made(Timestamp, isVerified: Bool)
    }

    /// Its path.
    package var path: String
    /// Permission bits of the folder.
    package var mode: Int
    /// Files that hold keys.
    package var secrets: [Entry] = []
    /// The process that `connection.json` names and that is gone; nil when all is well.
    package var goneProcess: Int?
    /// The file system's type, as the kernel names it; empty where it is not known.
    package var fileSystem = ""
    /// Options of its mount.
    package var mountOptions: [String] = []
    /// Bytes that are free on its disk.
    package var freeBytes: Int?
    /// Microseconds that each of some syncs took.
    package var syncMicroseconds: [Int] = []
    /// Hubs with files of an older schema.
    package var oldFiles: [OldFiles] = []
    /// The schema that this release writes.
    package var schemaWritten = 0
    /// Its backups; nil where the folder does not tell.
    package var backup: Backup?
    /// The first line of the audit that does not fit the one before.
    package var brokenAuditEntry: UInt64?

    /// A folder with nothing known but its mode.
    package init(path: String, mode: Int) {
        self.path = path
        self.mode = mode
    }
}
