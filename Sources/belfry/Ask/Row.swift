import CommandTerminal
import Foundation
import HubSender
import HubVocabulary

/// The answer of a row of the REST API, read by its members.
enum Row {
    /// A format as options name it; rows have the REST API's word.
    static func format(_ word: String) -> String {
        Platform(named: word)?.commandLineName ?? word
    }

    /// Reads an answer.
    static func read<Value: Decodable>(_ json: String, as form: Value.Type) throws -> Value {
        do {
            return try JSONDecoder().decode(form, from: Data(json.utf8))
        } catch {
            throw Failure("the hub's answer cannot be read: is it of another release?")
        }
    }

    /// Asks a hub for a row, or the server with the key of all its hubs; prints it as JSON, or hands
    /// it over for a table.
    static func show<Value: Decodable>(
        _ form: Value.Type,
        of options: HubOptions,
        isOfServer: Bool = false,
        json isJSON: Bool,
        _ path: String,
        _ fields: KeyValuePairs<String, String?> = [:],
        _ print: (Value) -> Void
    ) async throws {
        let text = try await text(of: options, isOfServer: isOfServer, path, fields)
        if isJSON { Terminal.line(text) } else { print(try read(text, as: form)) }
    }

    /// The answer to the same as it came.
    static func text(
        of options: HubOptions,
        isOfServer: Bool,
        _ path: String,
        _ fields: KeyValuePairs<String, String?> = [:]
    ) async throws -> String {
        let ask: (SenderClient) async throws(SenderError) -> String = {
            sender throws(SenderError) in try await sender.row(.get, path, fields)
        }
        return isOfServer
            ? try await Connecting.askingServer(options, ask)
            : try await Connecting.asking(options, ask)
    }

    /// The hour of a last use, such as `2026-05-04 09h`.
    static func hour(_ time: String?) -> String {
        time.map { String($0.prefix(13)).replacing("T", with: " ") + "h" } ?? "never"
    }

    /// A time of an answer to the second, such as `2026-05-04 09:12:03`.
    static func second(_ time: String) -> String {
        String(time.prefix(19)).replacing("T", with: " ")
    }
}
