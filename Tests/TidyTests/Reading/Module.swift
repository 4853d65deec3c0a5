/// A target of `Sources`: its files, the types they declare and the words they use.
struct Module {
    struct File {
        let source: SourceFile
        let types: [TypeDeclaration]
        /// The words of the code that begin like a type, without the types of the file itself.
        let words: Set<String>
        let imports: Set<String>
    }

    let name: String
    let files: [File]

    /// Every target of `Sources` that has Swift files, read once.
    static let all = of(Repository.swift(below: "Sources"))

    static func of(_ sources: [SourceFile]) -> [Module] {
        let groups = Dictionary(grouping: sources) { source in
            String(source.name.split(separator: "/").dropFirst().first ?? "")
        }
        return groups.keys.sorted().map { name in
            Module(name: name, files: (groups[name] ?? []).map(File.init))
        }
    }

    /// The folder of a file below the target; `.` beside them.
    func folder(_ file: File) -> String {
        let parts = file.source.name.split(separator: "/").dropFirst(2).dropLast()
        return parts.isEmpty ? "." : parts.joined(separator: "/")
    }

    /// Which files name types that are declared in which others, as places in `files`.
    func arrows() -> [(from: Int, to: Int, word: String)] {
        var homes: [String: Int] = [:]
        for (place, file) in files.enumerated() {
            for type in file.types
            where type.isTop && !type.isPrivate && type.kind != "extension" {
                homes[type.name, default: place] = homes[type.name] ?? place
            }
        }
        return files.indices.flatMap { from in
            files[from].words.compactMap { word in
                guard let to = homes[word], to != from else { return nil }
                return (from, to, word)
            }
        }
    }
}

extension Module.File {
    init(_ source: SourceFile) {
        self.source = source
        types = TypeDeclaration.all(in: source)
        words = Set(
            source.code.lazy.filter { $0.kind == .word && $0.text.first?.isUppercase ?? false }
                .map(\.text)
        ).subtracting(
            types.filter { $0.kind != "extension" }
                .compactMap { $0.name.split(separator: ".").last.map(String.init) }
        )
        imports = Set(ImportRule.imports(source).map(\.module))
    }
}
