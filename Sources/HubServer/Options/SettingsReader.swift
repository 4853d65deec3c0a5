import Configuration
import Foundation
import HubData
import HubTransport
import HubVocabulary

/// Reads settings and notes their names, so that one that no code reads is told as mistyped.
final class SettingsReader {
    private let reader: ConfigReader
    private let readers: [(ServerSetting.Origin, ConfigReader)]
    /// The names of settings, in the order in which code asks for them.
    private(set) var names: [String] = []

    /// Reads of these, the first that has a value.
    init(_ providers: [(ServerSetting.Origin, any ConfigProvider)]) {
        reader = ConfigReader(providers: providers.map(\.1))
        readers = providers.map { ($0.0, ConfigReader(providers: [$0.1])) }
    }

    /// Returns where the value of a setting comes from.
    func origin(of name: String) -> ServerSetting.Origin {
        let key = ConfigKey(name)
        let found = readers.first { _, reader in
            reader.string(forKey: key) != nil || reader.int(forKey: key) != nil
                || reader.bool(forKey: key) != nil
        }
        return found?.0 ?? .standard
    }

    /// Refuses a name that was given and that no code has asked for; call it behind all others.
    ///
    /// `place` names the file, and `spelled` is the name as its user wrote it there or in the
    /// environment.
    func check(
        _ name: String,
        in place: String = "",
        spelled: (String) -> String
    ) throws(ServerError) {
        guard !names.contains(name) else { return }
        let nearest = NearestWord.of(name, among: names).map { ": did you mean '\(spelled($0))'?" }
        throw .brokenFile(
            path: place + spelled(name),
            reason: "there is no such setting" + (nearest ?? "")
        )
    }

    func string(_ key: String) -> String? { reader.string(forKey: asked(key)) }

    func number(_ key: String, _ range: ClosedRange<Int>) throws(ServerError) -> Int? {
        let name = asked(key)
        guard
            let value = reader.int(forKey: name) ?? reader.string(forKey: name).flatMap({ Int($0) })
        else {
            guard let text = reader.string(forKey: name) else { return nil }
            throw .brokenFile(path: key, reason: "'\(text)' is no number")
        }
        guard range.contains(value) else {
            throw .brokenFile(
                path: key,
                reason: "\(value) is not within \(range.lowerBound) to \(range.upperBound)"
            )
        }
        return value
    }

    /// A number from 0 to 1.
    func share(_ key: String) throws(ServerError) -> Double? {
        let name = asked(key)
        guard
            let value = reader.double(forKey: name) ?? reader.int(forKey: name).map(Double.init)
                ?? reader.string(forKey: name).flatMap({ Double($0) })
        else {
            guard let text = reader.string(forKey: name) else { return nil }
            throw .brokenFile(path: key, reason: "'\(text)' is no number")
        }
        guard (0...1).contains(value) else {
            throw .brokenFile(path: key, reason: "\(value) is not within 0 to 1")
        }
        return value
    }

    /// An absolute address of HTTP.
    func url(_ key: String) throws(ServerError) -> String? {
        guard let text = string(key), !text.isEmpty else { return nil }
        guard let url = URL(string: text), ["http", "https"].contains(url.scheme),
            url.host()?.isEmpty == false
        else {
            throw .brokenFile(path: key, reason: "'\(text)' is no http or https address")
        }
        return text
    }

    /// Addresses and networks, separated by commas.
    func addresses(_ key: String) throws(ServerError) -> [AddressBlock]? {
        guard let text = string(key) else { return nil }
        var blocks: [AddressBlock] = []
        for part in text.split(separator: ",") {
            do throws(TransportError) {
                blocks.append(try AddressBlock(part.trimmingCharacters(in: .whitespaces)))
            } catch {
                throw .brokenFile(path: key, reason: error.description)
            }
        }
        return blocks
    }

    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String
    ) throws(ServerError) -> Choice? {
        guard let word = string(key) else { return nil }
        if let choice = Choice(rawValue: word) { return choice }
        let words = Choice.allCases.map(\.rawValue).joined(separator: " nor ")
        throw .brokenFile(path: key, reason: "'\(word)' is neither \(words)")
    }

    func flag(_ key: String) throws(ServerError) -> Bool {
        let name = asked(key)
        if let value = reader.bool(forKey: name) { return value }
        guard let text = reader.string(forKey: name) else { return false }
        switch text.lowercased() {
        case "true", "yes", "1": return true
        case "false", "no", "0": return false
        default: throw .brokenFile(path: key, reason: "'\(text)' is neither true nor false")
        }
    }

    private func asked(_ key: String) -> ConfigKey {
        if !names.contains(key) { names.append(key) }
        return ConfigKey(key)
    }
}
