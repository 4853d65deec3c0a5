import Foundation

/// The folder of a node's copy, between its runs: kept, put back, damaged and lost.
final class NodeFolder {
    /// Names of files of one of a copy's two parts begin with this.
    enum Part: String, CaseIterable {
        case registrations
        case log = "log-"
    }

    /// Where the files are.
    let path: String
    private let old: String
    /// Whether an older copy is kept.
    private(set) var hasOld = false

    /// A folder below that of all nodes.
    init(_ number: Int, in run: String) {
        path = "\(run)/\(number)"
        old = "\(run)/\(number)-old"
        make()
    }

    /// A name for the folder of all nodes, in memory where that is possible.
    static func ofRun() -> String {
        let shared = "/dev/shm"
        let isThere = FileManager.default.isWritableFile(atPath: shared)
        let base = isThere ? shared : FileManager.default.temporaryDirectory.path
        return "\(base)/belfry-nodes-\(UUID().uuidString)"
    }

    /// Removes it with all that is in it.
    static func remove(_ run: String) {
        change { try $0.removeItem(atPath: run) }
    }

    /// Keeps the files as they are.
    func keep() {
        if hasOld { Self.change { try $0.removeItem(atPath: old) } }
        Self.change { try $0.copyItem(atPath: path, toPath: old) }
        hasOld = true
    }

    /// Loses all.
    func lose() {
        Self.change { try $0.removeItem(atPath: path) }
        make()
    }

    /// Has the files of some parts be older ones again.
    func putBack(_ parts: [Part]) {
        guard hasOld else { return }
        for part in parts {
            for name in names(path, part) {
                Self.change { try $0.removeItem(atPath: "\(path)/\(name)") }
            }
            for name in names(old, part) {
                Self.change { try $0.copyItem(atPath: "\(old)/\(name)", toPath: "\(path)/\(name)") }
            }
        }
    }

    /// Has a file of a part begin with something else.
    func spoil(_ part: Part) {
        guard let name = names(path, part).first(where: { $0.hasSuffix(".sqlite") }),
            let handle = FileHandle(forUpdatingAtPath: "\(path)/\(name)")
        else { return }
        Self.change { _ in
            try handle.write(contentsOf: Data(repeating: 0x55, count: 64))
            try handle.close()
        }
    }

    private func names(_ folder: String, _ part: Part) -> [String] {
        var names: [String] = []
        Self.change { names = try $0.contentsOfDirectory(atPath: folder) }
        return names.filter { $0.hasPrefix(part.rawValue) }.sorted()
    }

    private func make() {
        Self.change {
            try $0.createDirectory(
                atPath: path,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        }
    }

    private static func change(_ body: (FileManager) throws -> Void) {
        do { try body(.default) } catch { preconditionFailure("files of a node's copy: \(error)") }
    }
}
