package import Foundation
import HubVocabulary

// A backup may come from anywhere: nothing of it is opened before it is known to be a regular file.

extension DataBackup {
    /// Requires that a path leads to a regular file through folders alone.
    package static func requireRegular(_ path: String, in folder: String) throws(ServerError) {
        var place = folder
        let parts = path.split(separator: "/")
        for (index, part) in parts.enumerated() {
            place += "/" + part
            guard let kind = kind(of: place) else {
                throw .brokenFile(path: place, reason: "is missing")
            }
            guard kind == (index + 1 == parts.count ? .typeRegular : .typeDirectory) else {
                throw .brokenFile(path: place, reason: "is no regular file, or lies in no folder")
            }
        }
    }

    /// Returns the paths in a folder that lead to neither a file nor a folder: reading could last
    /// for ever.
    static func strangeFiles(in folder: String) throws(ServerError) -> [String] {
        try names(in: folder).map { "\(folder)/\($0)" }.filter { path in
            let kind = kind(of: URL(fileURLWithPath: path).resolvingSymlinksInPath().path)
            return kind != .typeRegular && kind != .typeDirectory
        }
    }

    /// Whether a backup of ours may hold a file under a path.
    static func isOurs(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if parts.contains("..") || parts.contains(".") || parts.contains("") { return false }
        return switch parts.count {
        case 1: ["namespace.json", "belfry.json", "retired.json"].contains(path)
        case 2: parts[0] == "tls"
        case 3: parts[0] == "hubs" && (parts[2] == "keys.json" || parts[2].hasSuffix(".sqlite"))
        default: false
        }
    }

    /// Returns the kind of a file itself, nothing followed; nil when there is none.
    package static func kind(of path: String) -> FileAttributeType? {
        // What cannot be looked at is as good as missing.
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.type] as? FileAttributeType
    }
}
