/// A limit is read by code: behind its own type, or behind something that has that type.
///
/// A name alone proves nothing, since many limits share theirs: `payloadBytesMax` of a send, a
/// parcel and the link. So the words in front of a name are looked up: parameters, properties and
/// constants that are declared with a type of limits.
struct LimitRule {
    /// Types of limits by each word that is declared with one.
    typealias Types = [String: Set<String>]

    private let modules: [Module]
    private let holders: Set<String>
    /// The names of all limits; whatever else is read is of no account.
    private let names: Set<String>
    private var everywhere: Types = [:]
    private var ofModule: [String: Types] = [:]
    private var ofFile: [String: Types] = [:]
    /// The words that the file of a type declares, by the type's module and name.
    private var ofType: [String: Types] = [:]

    /// Constants of `…Limits` types, and of types within them, that no code reads.
    static func unread(_ modules: [Module]) -> [Offence] {
        let rule = LimitRule(modules)
        var read: Set<String> = []
        for module in modules {
            for file in module.files { read.formUnion(rule.reads(file, in: module)) }
        }
        return modules.flatMap(\.files).flatMap { file in
            file.types.filter(isHolder).flatMap { type in
                (type.fields + type.constants).filter { name in
                    !read.contains(short(type.name) + "." + name)
                        // `limits: .standard` does not say whose it is.
                        && !(type.constants.contains(name) && read.contains("." + name))
                }.map { name in
                    let name = "\(type.name).\(name)"
                    let place = file.source.finding(type.line, "\(name) is read by no code")
                    return Offence(key: name, place: place)
                }
            }
        }
    }

    private static func isHolder(_ type: TypeDeclaration) -> Bool {
        type.name.split(separator: ".").contains { $0.hasSuffix("Limits") }
    }

    private static func short(_ name: String) -> String {
        name.split(separator: ".").last.map(String.init) ?? name
    }

    private init(_ modules: [Module]) {
        self.modules = modules
        let types = modules.flatMap(\.files).flatMap(\.types).filter(Self.isHolder)
        holders = Set(types.map { Self.short($0.name) })
        names = Set(types.flatMap { $0.fields + $0.constants })
        // What is made of another word gets that word's types, which may be known only then.
        for _ in 0..<2 {
            for module in modules {
                for file in module.files { declare(file, in: module) }
            }
        }
    }

    private mutating func declare(_ file: Module.File, in module: Module) {
        let found = declarations(file.source.code)
        ofFile[file.source.name] = found
        everywhere.merge(found) { $0.union($1) }
        ofModule[module.name, default: [:]].merge(found) { $0.union($1) }
        for type in file.types {
            ofType[module.name + "/" + type.name, default: [:]].merge(found) { $0.union($1) }
        }
    }

    // MARK: Declarations

    /// The words that are declared with a type of limits, or made of a word that is.
    private func declarations(_ code: [Token]) -> Types {
        var found: Types = [:]
        for index in code.indices.dropFirst().dropLast(2) where code[index].kind == .word {
            let word = code[index].text
            switch code[index + 1].text {
            case ":":
                let start = code[(index + 2)...].firstIndex { !Self.modifiers.contains($0.text) }
                let names = start.map { chain(code, from: $0) } ?? []
                if let name = names.last(where: holders.contains) {
                    found[word, default: []].insert(name)
                }
            case "=":
                let names = chain(code, from: index + 2)
                if let name = names.last(where: holders.contains) {
                    found[word, default: []].insert(name)
                } else if names.count > 1, let types = everywhere[names[names.count - 1]] {
                    found[word, default: []].formUnion(types)
                }
            default: break
            }
        }
        return found
    }

    private static let modifiers: Set<String> = ["inout", "borrowing", "consuming", "sending"]

    /// The words of `a.b?.c` from its beginning.
    private func chain(_ code: [Token], from start: Int) -> [String] {
        var names: [String] = []
        var index = start
        while index < code.count, code[index].kind == .word {
            names.append(code[index].text)
            index += 1
            while index < code.count, ["?", "!"].contains(code[index].text) { index += 1 }
            guard index < code.count, code[index].text == "." else { break }
            index += 1
        }
        return names
    }

    // MARK: Reads

    /// `Type.name` for each member that is read in a file; `.name` for one without a word before.
    private func reads(_ file: Module.File, in module: Module) -> [String] {
        let code = file.source.code
        return code.indices.dropFirst().dropLast(2).flatMap { index -> [String] in
            let name = code[index].text
            guard code[index].kind == .word, names.contains(name) else { return [] }
            guard code[index - 1].text == "." else {
                // Inside a type of limits its members need no word in front.
                let isDeclared =
                    Self.introductions.contains(code[index - 1].text) || code[index + 1].text == ":"
                return isDeclared ? [] : around(file, code[index].line).map { $0 + "." + name }
            }
            let isSet = code[index + 1].text == "=" && code[index + 2].text != "="
            guard !isSet else { return [] }
            var before = index - 2
            while before >= 0, ["?", "!"].contains(code[before].text) { before -= 1 }
            guard before >= 0, code[before].kind == .word else {
                // The result of a call, an entry, a path from a type that is not said.
                let owners = holders.intersection(code.lazy.map(\.text))
                return ["." + name] + owners.map { $0 + "." + name }
            }
            let isChain = before > 0 && code[before - 1].text == "."
            return types(of: code[before].text, isChain, file, module).map { $0 + "." + name }
        }
    }

    private func types(
        of word: String,
        _ isChain: Bool,
        _ file: Module.File,
        _ module: Module
    ) -> Set<String> {
        if holders.contains(word) { return [word] }
        if word == "self" || word == "Self" || word == "$0" {
            return holders.intersection(file.types.map { Self.short($0.name) })
        }
        let all = everywhere[word] ?? []
        guard !isChain else { return all }
        if let own = ofFile[file.source.name]?[word] { return own }
        let siblings = file.types.compactMap { ofType[module.name + "/" + $0.name]?[word] }
        if !siblings.isEmpty { return siblings.reduce([]) { $0.union($1) } }
        return ofModule[module.name]?[word] ?? all
    }

    private static let introductions: Set<String> = ["let", "var", "func", "case", ",", "="]

    /// The types of limits in which a line stands.
    private func around(_ file: Module.File, _ line: Int) -> [String] {
        file.types.filter { type in
            Self.isHolder(type) && (type.line..<type.line + type.lines).contains(line)
        }.map { Self.short($0.name) }
    }
}
