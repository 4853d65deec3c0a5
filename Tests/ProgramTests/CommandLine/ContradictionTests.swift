import Foundation
import Testing

/// No option wins in silence over one that says something else: asked of all commands.
@Suite("Options that contradict each other")
struct ContradictionTests {
    /// Options that no command takes together.
    private struct Row {
        var pairs: [(String, String)]
        /// The commands; without it each that takes both options of a pair.
        var commands: [String]?
        /// What else makes the command whole, where it is not what `whole` has.
        var rest: [String]?

        init(_ options: [String], in commands: [String]? = nil) {
            let options = options.enumerated()
            pairs = options.flatMap { place, first in
                options.dropFirst(place + 1).map { (first, $0.element) }
            }
            self.commands = commands
        }

        init(
            _ option: String,
            beside others: [String],
            in commands: [String]? = nil,
            rest: [String]? = nil
        ) {
            pairs = others.map { (option, $0) }
            self.commands = commands
            self.rest = rest
        }

        var names: Set<String> { Set(pairs.flatMap { [$0.0, $0.1] }) }
    }

    private static let server = [
        "data", "connection-string", "connection-string-file", "context",
    ]
    private static let rows = [
        Row(server),
        Row("ca", beside: ["data"]),
        Row(
            "hub",
            beside: ["data"],
            in: ["hub add", "hub remove", "hub list", "audit", "top", "doctor"]
        ),
        Row("rights", beside: ["connection-string", "connection-string-file", "context"]),
        Row(["through", "older-than", "all"]),
        Row(["device", "registration", "installation"]),
        Row("file", beside: ["tags", "header", "at", "test", "dry-run"], in: ["send"], rest: []),
        Row(["at", "test", "dry-run"]),
        Row("test", beside: ["idempotency-key"]),
        Row("from", beside: ["tags"], in: ["send"]),
        Row("behind", beside: ["after"]),
        Row(["tag", "user"], in: ["device list"]),
        Row("key", beside: ["wait"], in: ["key rotate"]),
        Row("namespace", beside: ["hub"], in: ["key list", "key rotate"]),
        Row("after", beside: ["since"], in: ["tail"]),
        Row(["apple-key", "apple-certificate", "firebase", "browser", "azure"]),
        Row(
            "firebase",
            beside: ["key-id", "team", "bundle", "sandbox", "subject", "password-file"]
        ),
        Row(["backend", "backend-data"]),
        Row("user", beside: ["data"], in: ["app"]),
        Row(["plain", "json"]),
        Row(["wire", "quiet", "json"], in: ["demo"]),
        Row("trace", beside: ["json", "seeds"], in: ["simulate"]),
        Row("compare-shards", beside: ["data", "shards", "server-cpus"]),
        Row(
            "data",
            beside: ["shards", "server-cpus", "records", "submission"],
            in: ["bench fanout"]
        ),
        Row("listen", beside: server + ["connect", "ca", "hub", "token", "purge"]),
        Row(
            "token",
            beside: ["connection-string", "connection-string-file"],
            rest: ["--connect", "localhost:9443"]
        ),
    ]

    private static let device = String(repeating: "ab", count: 16)
    private static let notification = "0193a5c2-d7e3-7b5a-917d-5c0a9be83f10"
    /// What a command needs besides the server.
    private static let whole = [
        "send": ["{}"], "preview": ["{}"], "purge": ["--all", "--yes"],
        "explain": [notification, "--device", device], "revoke": ["--device", device],
        "hub add": ["sports"], "hub remove": ["sports", "--yes"], "key rotate": ["rule"],
        "hub credential set": ["--firebase", "/nowhere"], "hub credential remove": ["apns"],
        "relay check": ["apns"], "relay skip": ["apns", "--through", "1"],
        "notification show": [notification], "device show": [device], "tag show": ["World"],
        "schedule cancel": [device], "context add": ["prod"], "app": ["--data", "/nowhere"],
    ]
    /// Values that are right by themselves, where `x` is none.
    private static let values = [
        "connection-string": "Endpoint=sb://a/;SharedAccessKeyName=b;SharedAccessKey=c",
        "connect": "localhost:9443", "listen": "127.0.0.1:0", "device": device, "at": "+1h",
        "header": "a: b", "rights": "send", "key": "primary", "through": "1", "older-than": "1",
        "from": "1", "seeds": "2", "shards": "2", "records": "own", "submission": "send",
        "backend": "https://localhost:8444", "after": "1", "since": "1h",
    ]

    /// A command as ArgumentParser tells of it.
    private struct Command: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable {
                var name: String
            }

            var kind: String
            var names: [Name]?
        }

        var arguments: [Argument]?

        /// Whether each option takes a value.
        var options: [String: Bool] {
            (arguments ?? []).reduce(into: [:]) { options, argument in
                for name in argument.names ?? [] { options[name.name] = argument.kind == "option" }
            }
        }
    }

    private struct Dump: Decodable {
        var command: Command
    }

    /// The command as ArgumentParser tells of it.
    private static func told(_ entry: CommandTree.Entry) throws -> Command {
        let dump = try #require(entry.refusal(["--experimental-dump-help"])?.message)
        return try JSONDecoder().decode(Dump.self, from: Data(dump.utf8)).command
    }

    /// Words without options, and their values, that a row is about.
    private static func without(_ names: Set<String>, _ words: [String], _ command: Command)
        -> [String]
    {
        let options = command.options
        var left: [String] = []
        var isValue = false
        for word in words {
            let name = word.hasPrefix("--") ? String(word.dropFirst(2)) : ""
            if isValue {
                isValue = false
            } else if names.contains(name) {
                isValue = options[name] ?? false
            } else {
                left.append(word)
            }
        }
        return left
    }

    private static func option(_ name: String, of command: Command) -> [String] {
        ["--" + name] + (command.options[name] ?? false ? [values[name] ?? "x"] : [])
    }

    /// Plays the pairs of a row that a command takes; how many.
    private static func play(
        _ row: Row,
        _ entry: CommandTree.Entry,
        _ command: Command
    ) throws -> Int {
        let options = command.options
        let pairs = row.pairs.filter { options[$0.0] != nil && options[$0.1] != nil }
        let path = entry.words.joined(separator: " ")
        let rest = without(row.names, row.rest ?? whole[path] ?? [], command)
        let accepted = Set(pairs.flatMap { [$0.0, $0.1] }).filter {
            entry.refusal(option($0, of: command) + rest) == nil
        }
        var played = 0
        // Where the command refuses each of the two, so it does both.
        for (first, second) in pairs where accepted.contains(first) || accepted.contains(second) {
            let both = option(first, of: command) + option(second, of: command) + rest
            let told = try #require(entry.refusal(both), "\(path) \(both) is accepted")
            #expect(told.code == 64, "\(path) \(both) \(told)")
            let names = ["--" + first, "--" + second]
            #expect(names.contains { told.message.contains($0) }, "\(path) \(both) \(told)")
            played += 1
        }
        return played
    }

    @Test("are refused by each command that takes both, and told by name")
    func refused() throws {
        let entries = CommandTree.entries.filter(\.isLeaf)
        #expect(entries.count > 50)
        var played: [Int: Int] = [:]
        for entry in entries {
            let path = entry.words.joined(separator: " ")
            let command = try Self.told(entry)
            for (place, row) in Self.rows.enumerated() where row.commands?.contains(path) ?? true {
                played[place, default: 0] += try Self.play(row, entry, command)
            }
            // A line with what `whole` has is whole, or no pair of the command is played.
            guard command.options["connection-string"] != nil, path != "conformance" else {
                continue
            }
            let line = Self.option("connection-string", of: command)
            let refusal = entry.refusal(line + (Self.whole[path] ?? []))
            #expect(refusal == nil, "\(path) needs more: \(refusal?.message ?? "")")
        }
        for (place, row) in Self.rows.enumerated() {
            let least = row.commands?.count ?? row.pairs.count
            #expect(played[place, default: 0] >= least, "\(row.names.sorted())")
        }
    }
}
