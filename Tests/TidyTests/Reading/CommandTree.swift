/// The commands of the command line, read from its sources.
enum CommandTree {
    /// One `CommandConfiguration`: what it is called and what is below it.
    private struct Command {
        var name = ""
        var below: [String] = []
        var byDefault: String?
        var isHidden = false
    }

    /// The type of each command that does something, by the line a person types for it.
    ///
    /// A command that its parent runs by default goes by the parent's line.
    static func commands(_ files: [SourceFile], root: String) -> [String: String] {
        var commands: [String: Command] = [:]
        for file in files { commands.merge(read(file)) { $1 } }
        var lines: [String: String] = [:]
        func visit(_ type: String, _ line: String) {
            guard let command = commands[type], !command.isHidden else { return }
            if command.below.isEmpty { lines[line] = type }
            for child in command.below {
                let name = commands[child]?.name ?? child
                visit(child, child == command.byDefault ? line : "\(line) \(name)")
            }
        }
        visit(root, commands[root]?.name ?? root)
        return lines
    }

    private static func read(_ file: SourceFile) -> [String: Command] {
        let code = file.code
        var commands: [String: Command] = [:]
        var type = ""
        for index in code.indices.dropLast(2) {
            let value = code[index + 2]
            switch code[index].text {
            case "struct": type = code[index + 1].text
            case "commandName": commands[type, default: Command()].name = value.text
            case "defaultSubcommand": commands[type]?.byDefault = value.text
            case "shouldDisplay": commands[type]?.isHidden = value.text == "false"
            case "subcommands" where code[index + 1].text == ":":
                let end = code[index...].firstIndex { $0.text == "]" } ?? code.endIndex
                commands[type]?.below = code[index..<end].indices.compactMap { place in
                    code[place].text == "self" ? code[place - 2].text : nil
                }
            default: break
            }
        }
        return commands
    }
}
