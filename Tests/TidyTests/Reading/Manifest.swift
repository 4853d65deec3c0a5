/// What `Package.swift` says of a target, read as text, so that nothing is run.
struct ManifestTarget: Equatable {
    let name: String
    /// Targets and products it depends on, by module name.
    let dependencies: Set<String>
    let isTest: Bool
    /// Its folder from the top; nil for tests, whose folder the manifest computes.
    let folder: String
    let line: Int
}

enum Manifest {
    static let file = "Package.swift"
    static let targets = targets(
        of: SourceFile(name: file, text: Repository.document(file), language: .swift)
    )

    /// The targets in the order of the manifest.
    ///
    /// Knows the manifest's own short forms (`target`, `tests`, `helper`, `program`, `product`) and
    /// `PackageDescription`'s.
    static func targets(of file: SourceFile) -> [ManifestTarget] {
        let code = file.code
        let products = products(code)
        let calls: Set<String> = [
            "target", "tests", "helper", "program", "executableTarget", "systemLibrary",
            "testTarget",
        ]
        var targets: [ManifestTarget] = []
        for index in code.indices.dropLast(2)
        where code[index].kind == .word && calls.contains(code[index].text)
            && code[index + 1].text == "(" && (index == 0 || code[index - 1].text != "func")
        {
            let end = file.end(ofBracketAt: index + 1)
            guard let name = name(code, index + 1) else { continue }
            let isTest = code[index].text == "tests"
            let folder = argument("path", code, index + 1, end)
            let usual =
                switch code[index].text {
                case "tests": "Tests/\(name)Tests"
                case "helper": "Tests/Support/\(name)"
                default: "Sources/\(name)"
                }
            targets.append(
                ManifestTarget(
                    name: isTest ? name + "Tests" : name,
                    dependencies: dependencies(file, index + 1, end, products),
                    isTest: isTest,
                    folder: folder ?? usual,
                    line: code[index].line
                )
            )
        }
        return targets
    }

    /// The first argument, with or without its label; nil where it is not a plain string.
    private static func name(_ code: [Token], _ open: Int) -> String? {
        if code[open + 1].kind == .string { return plain(code[open + 1]) }
        guard code[open + 1].text == "name", open + 3 < code.count else { return nil }
        return code[open + 3].kind == .string ? plain(code[open + 3]) : nil
    }

    private static func plain(_ token: Token) -> String? {
        token.text.contains("\\") || token.text.isEmpty ? nil : token.text
    }

    private static func argument(
        _ label: String,
        _ code: [Token],
        _ open: Int,
        _ end: Int
    ) -> String? {
        for index in open..<end where code[index].text == label && code[index + 1].text == ":" {
            return code[index + 2].kind == .string ? plain(code[index + 2]) : nil
        }
        return nil
    }

    private static func dependencies(
        _ file: SourceFile,
        _ open: Int,
        _ end: Int,
        _ products: [String: String]
    ) -> Set<String> {
        let code = file.code
        guard
            let start = (open..<end).first(where: {
                code[$0].text == "[" && isDependencies(code, $0)
            })
        else { return [] }
        let last = file.end(ofBracketAt: start)
        var found: Set<String> = []
        var index = start + 1
        while index < last {
            let token = code[index]
            if token.text == "product", token.kind == .word {
                found.insert(code[index + 2].text)
                index = file.end(ofBracketAt: index + 1)
            } else if token.kind == .string {
                found.insert(token.text)
            } else if let product = products[token.text] {
                found.insert(product)
            }
            index += 1
        }
        return found
    }

    /// The list of dependencies stands without a label after the name, or behind `dependencies:`.
    private static func isDependencies(_ code: [Token], _ bracket: Int) -> Bool {
        if code[bracket - 1].text == "," { return code[bracket - 2].kind == .string }
        return code[bracket - 1].text == ":" && code[bracket - 2].text == "dependencies"
    }

    /// Constants that stand for a product: `let crypto = product("Crypto", …)`.
    private static func products(_ code: [Token]) -> [String: String] {
        var products: [String: String] = [:]
        for index in code.indices.dropLast(5)
        where code[index].text == "let" && code[index + 2].text == "="
            && code[index + 3].text == "product"
        {
            products[code[index + 1].text] = code[index + 5].text
        }
        return products
    }
}
