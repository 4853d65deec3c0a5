/// What a configuration key accepts, as `ServerSettings.swift` reads it.
struct SettingKey: Equatable {
    let key: String
    /// The whole numbers it may have, such as `0...65_535`; nil where it is no number.
    let range: String?
    let line: Int

    /// `rest.port` is `BELFRY_REST_PORT` in the environment.
    var environment: String {
        "BELFRY_" + key.uppercased().replacing(".", with: "_")
    }
}

/// Options and settings, read from the sources of the command line.
enum CommandLineOptions {
    /// The keys that `ServerSettings` reads, in order.
    static func keys(_ file: SourceFile) -> [SettingKey] {
        let code = file.code
        return code.indices.dropFirst(3).compactMap { index in
            guard code[index].kind == .string, !code[index].text.contains("/") else { return nil }
            let calls = ["string", "number", "choice", "flag", "share", "url", "addresses"]
            guard code[index - 1].text == "(", calls.contains(code[index - 2].text),
                code[index - 3].text == "."
            else { return nil }
            var range: String?
            if code[index + 1].text == "," {
                let end = code[index...].firstIndex { $0.text == ")" } ?? index
                let text = code[(index + 2)..<end].map(\.text).joined()
                range = text.replacing("_", with: "").replacing("...", with: " to ")
            }
            return SettingKey(key: code[index].text, range: range, line: code[index].line)
        }
    }

    /// The options of each command in a file, by the command's name; option groups by their type.
    static func options(_ file: SourceFile) -> [String: [String]] {
        let code = file.code
        var options: [String: [String]] = [:]
        var types: [(name: String, depth: Int)] = []
        var next: String?
        var depth = 0
        for index in code.indices.dropLast() {
            if ["struct", "enum", "extension"].contains(code[index].text) {
                next = code[index + 1].text
            } else if code[index].kind == .mark, code[index].text == "{" {
                depth += 1
                if let name = next { types.append((name, depth)) }
                next = nil
            } else if code[index].kind == .mark, code[index].text == "}" {
                if types.last?.depth == depth { types.removeLast() }
                depth -= 1
            }
            let type = types.last?.name ?? ""
            guard ["@Option", "@Flag", "@OptionGroup", "@Argument"].contains(code[index].text),
                let variable = code[index...].firstIndex(where: { $0.text == "var" })
            else { continue }
            let name = code[variable + 1].text
            let attribute = code[index..<variable]
            if code[index].text == "@OptionGroup" {
                options[type, default: []].append("@" + code[variable + 3].text)
            } else if code[index].text == "@Option" || code[index].text == "@Flag" {
                guard !attribute.contains(where: { $0.text == "hidden" }) else { continue }
                let custom = attribute.firstIndex { $0.text == "customLong" }
                options[type, default: []].append(
                    "--" + (custom.map { code[$0 + 2].text } ?? kebab(name))
                )
            }
        }
        return options
    }

    /// `restPort` is `--rest-port` on the command line.
    static func kebab(_ name: String) -> String {
        name.reduce(into: "") { text, character in
            if character.isUppercase { text.append("-") }
            text.append(character.lowercased())
        }
    }
}
