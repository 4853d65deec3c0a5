import ArgumentParser
import CommandTerminal
import Foundation
import HubData
import HubExamination
import HubSender
import HubVocabulary
import Synchronization

/// From options to clients.
enum Connecting {
    /// The description of a running hub, and of its first hub.
    static func file(_ data: String?) throws -> ConnectionFile {
        guard let data else {
            throw ValidationError("Name the hub with --data FOLDER, or with --context.")
        }
        return try Failure.told { try ConnectionFile(dataFolder: data) }
    }

    /// The description of the hub that options name.
    private static func file(_ options: HubOptions) throws -> ConnectionFile {
        let file = try file(options.data)
        return try options.hub.map { try Self.file(file, of: $0) } ?? file
    }

    /// The same server with another hub, which the namespace's key opens.
    private static func file(_ file: ConnectionFile, of hub: String) throws -> ConnectionFile {
        // Names of hubs compare without case; a hub's own key opens no other.
        guard hub.lowercased() != file.hub.lowercased() else { return file }
        guard let namespace = file.connectionStrings.namespace else {
            throw Failure(
                "the data folder has no key for '\(hub)': use a connection string of that hub"
            )
        }
        var other = file
        other.hub = hub
        other.connectionStrings.full = namespace
        return other
    }

    /// A sender for `--data`, or for a connection string with `--hub`.
    static func sender(
        _ options: HubOptions,
        retries: RetryPolicy = .never
    ) throws -> SenderClient {
        do {
            guard let given = try given(options) else {
                return try SenderClient(file(options), retries: retries)
            }
            let connection = try parsed(given.connectionString)
            return try SenderClient(
                connection,
                hub: try hub(given.hub, of: connection),
                caPath: given.ca,
                retries: retries
            )
        } catch let error as SenderError {
            throw Failure(error)
        }
    }

    /// The key that options name, with its hub.
    static func key(
        _ options: HubOptions,
        _ rights: TokenCommand.Rights
    ) throws -> (ConnectionString, hub: String) {
        if let given = try given(options) {
            let connection = try parsed(given.connectionString)
            return (connection, try hub(given.hub, of: connection))
        }
        let first = try file(options.data)
        let file = try file(options)
        if file.hub != first.hub, rights == .listen || rights == .send {
            throw Failure("the data folder has that key of '\(first.hub)' alone: use --rights full")
        }
        let strings = file.connectionStrings
        let text: String? =
            switch rights {
            case .full: strings.full
            case .listen: strings.listen
            case .send: strings.send
            case .namespace: strings.namespace
            }
        guard let text else { throw Failure("the data folder has no key for all hubs") }
        return (try parsed(text), file.hub)
    }

    /// Reads a connection string.
    static func parsed(_ text: String) throws -> ConnectionString {
        do throws(ConnectionStringError) {
            return try ConnectionString(parsing: text)
        } catch { throw ValidationError(error.description) }
    }

    /// The hub that a connection string or an option names; both must name the same one.
    private static func hub(_ option: String?, of connection: ConnectionString) throws -> String {
        guard let own = connection.hub else {
            if let option { return option }
            throw ValidationError(
                "The connection string names no hub (EntityPath): name it with --hub."
            )
        }
        guard let option, option.lowercased() != own.lowercased() else { return own }
        throw ValidationError("--hub names '\(option)', the connection string '\(own)': keep one.")
    }

    /// A sender for rows of the server, with the key of all its hubs.
    static func serverSender(_ options: HubOptions) throws -> SenderClient {
        do {
            if let given = try given(options) {
                return try SenderClient(parsed(given.connectionString), hub: "", caPath: given.ca)
            }
            let file = try file(options.data)
            guard let text = file.connectionStrings.namespace else {
                throw Failure("the data folder has no key for all hubs")
            }
            return try SenderClient(parsed(text), hub: "", caPath: file.ca)
        } catch let error as SenderError {
            throw Failure(error)
        }
    }

    /// The host of the server that options name, and the authority to trust.
    static func place(_ options: HubOptions) throws -> (host: String, ca: String?) {
        if let given = try given(options) {
            return (try parsed(given.connectionString).host, given.ca)
        }
        let file = try file(options.data)
        return (file.rest.host, file.ca)
    }

    /// The name of the hub that options name.
    static func hubName(_ options: HubOptions) throws -> String {
        if let given = try given(options) {
            return try hub(given.hub, of: parsed(given.connectionString))
        }
        return try file(options).hub
    }

    /// Whether options name one hub, or a key that opens one hub alone.
    static func namesHub(_ options: HubOptions) throws -> Bool {
        guard options.hub == nil, let given = try given(options) else { return options.hub != nil }
        return try given.hub != nil || parsed(given.connectionString).hub != nil
    }

    /// Asks a hub with a sender of its own, which is closed afterwards.
    static func asking<Answer>(
        _ options: HubOptions,
        _ question: (SenderClient) async throws(SenderError) -> Answer
    ) async throws -> Answer {
        try await asking(try sender(options), question) { error, sender in
            await nearestHub(error, sender.hub, options)
        }
    }

    /// The same for rows of the server.
    static func askingServer<Answer>(
        _ options: HubOptions,
        _ question: (SenderClient) async throws(SenderError) -> Answer
    ) async throws -> Answer {
        try await asking(try serverSender(options), question)
    }

    private static func asking<Answer>(
        _ sender: SenderClient,
        _ question: (SenderClient) async throws(SenderError) -> Answer,
        nearest: (SenderError, SenderClient) async -> String? = { _, _ in nil }
    ) async throws -> Answer {
        do throws(SenderError) {
            let answer = try await question(sender)
            await sender.close()
            return answer
        } catch {
            await sender.close()
            throw Failure(error, of: sender, nearest: await nearest(error, sender))
        }
    }

    /// The hub that a mistyped name may mean; nil where the key at hand lists no hubs.
    private static func nearestHub(
        _ error: SenderError,
        _ name: String,
        _ options: HubOptions
    ) async -> String? {
        guard case .refused(let refused) = error, refused.status == 404,
            refused.reason.hasPrefix("The notification hub '"),
            // The key of one hub lists none.
            let sender = try? serverSender(options)
        else { return nil }
        // Without a list there is no hint.
        let text = try? await sender.row(.get, HubNumbers.path)
        await sender.close()
        guard let text,
            // As above.
            let found = try? JSONDecoder().decode(HubNumbers.self, from: Data(text.utf8))
        else { return nil }
        return NearestWord.of(name, among: found.hubs.map(\.name))
    }

    /// The same with the key of the namespace, which alone may change a hub's description.
    static func administering<Answer>(
        _ options: HubOptions,
        _ question: (SenderClient) async throws(SenderError) -> Answer
    ) async throws -> Answer {
        guard try given(options) == nil else {
            return try await asking(options, question)
        }
        var file = try file(options)
        guard let namespace = file.connectionStrings.namespace else {
            throw Failure("the data folder has no key for all hubs")
        }
        file.connectionStrings.full = namespace
        return try await asking(try SenderClient(file, retries: .never), question)
    }

    /// The connection string that options or the environment name, checked.
    static func checkedString(_ options: HubOptions) throws -> String {
        guard let text = try connectionString(options) else {
            throw ValidationError("Name the connection string: --connection-string-file FILE.")
        }
        _ = try parsed(text)
        return text
    }

    /// Whether the context in use was told already: once is enough for who asks again and again.
    private static let noted = Atomic(false)

    /// The connection string with hub and authority: of options, of the environment, or of a context.
    private static func given(_ options: HubOptions) throws -> HubContext? {
        if options.context == nil, let text = try connectionString(options) {
            return HubContext(connectionString: text, hub: options.hub, ca: options.ca)
        }
        guard options.data == nil else { return nil }
        let named = options.context ?? ProcessInfo.processInfo.environment["BELFRY_CONTEXT"]
        guard let name = named ?? HubContext.used else { return nil }
        // Nothing that its user has typed says where this goes.
        if named == nil, noted.exchange(true, ordering: .relaxed) == false {
            Terminal.note("context: \(name)")
        }
        var context = try HubContext.read(name)
        context.hub = options.hub ?? context.hub
        context.ca = options.ca ?? context.ca
        return context
    }

    private static func connectionString(_ options: HubOptions) throws -> String? {
        if let text = options.connectionString { return text }
        if let path = options.connectionStringFile {
            // The path is what its user can do something about.
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
                throw Failure("cannot read \(path)")
            }
            return text.trimmingCharacters(in: .whitespacesAndNewlines)
        }
        guard options.data == nil else { return nil }
        return ProcessInfo.processInfo.environment["BELFRY_CONNECTION_STRING"]
    }
}
