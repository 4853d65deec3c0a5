import Foundation

/// The files of this repository, found beside the sources that this was compiled from.
///
/// Reading names a file from the top folder, such as `Sources/HubWire/WireReader.swift`.
enum Repository {
    /// The top folder.
    static let root: String = {
        var folder = URL(fileURLWithPath: #filePath)
        for _ in 0..<4 { folder.deleteLastPathComponent() }
        return folder.path
    }()

    /// Every file below the folders of the project and beside the manifest, sorted; no build product.
    static let files: [String] = {
        var files = children(of: ".").filter { !isFolder($0) && !isBuilt($0) }
        for folder in ["Sources", "Tests", "Protocol", "Fuzz", ".ci", ".github"] {
            let below = FileManager.default.subpaths(atPath: root + "/" + folder) ?? []
            files += below.map { folder + "/" + $0 }.filter { !isFolder($0) && !isBuilt($0) }
        }
        return files.sorted()
    }()

    /// Every Swift file, read once.
    static let swift: [SourceFile] = files.filter { $0.hasSuffix(".swift") }.map { name in
        SourceFile(name: name, text: text(name) ?? "", language: .swift)
    }

    /// Every C file and header, read once.
    static let c: [SourceFile] = files.filter { $0.hasSuffix(".c") || $0.hasSuffix(".h") }
        .map { name in SourceFile(name: name, text: text(name) ?? "", language: .c) }

    /// The Swift files below a folder.
    static func swift(below folder: String) -> [SourceFile] {
        swift.filter { $0.name.hasPrefix(folder + "/") }
    }

    /// The text of a file, nil where there is none or where it is not UTF-8.
    static func text(_ name: String) -> String? {
        guard let bytes = FileManager.default.contents(atPath: root + "/" + name) else {
            return nil
        }
        return String(bytes: bytes, encoding: .utf8)
    }

    /// The text of a file that must be there; empty where it is not, so that its test fails.
    static func document(_ name: String) -> String { text(name) ?? "" }

    /// Whether a file or folder of this name exists.
    static func exists(_ name: String) -> Bool {
        FileManager.default.fileExists(atPath: root + "/" + name)
    }

    private static func children(of folder: String) -> [String] {
        (try? FileManager.default.contentsOfDirectory(atPath: root + "/" + folder)) ?? []
    }

    private static func isFolder(_ name: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: root + "/" + name)
        return attributes?[.type] as? FileAttributeType == .typeDirectory
    }

    private static func isBuilt(_ name: String) -> Bool {
        name == ".git" || name == "Package.resolved" || name.hasSuffix(".o")
            || name.contains("/__pycache__/") || name.contains("/.build")
            || name.hasPrefix("Fuzz/.work/")
    }
}
