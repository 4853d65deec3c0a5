import DeviceEmulator
import Foundation
import HubClient
import HubSender

/// An app inside the test process whose backend answers each request as it is told, beside a real
/// hub.
final class ScriptedApp: Sendable {
    let app: PhoneApp
    let lines = EventLog<PhoneLine>()
    /// Stays as long as the app may write into it.
    private let folder: ScenarioFolder

    /// An app that remembers where an `AppProcess` of the folder would.
    init(
        _ folder: ScenarioFolder,
        _ backend: BackendFile,
        _ change: (inout PhoneSetup) -> Void = { _ in }
    ) throws {
        self.folder = folder
        let path = folder.file("phone")
        try FileManager.default.createDirectory(
            atPath: path,
            withIntermediateDirectories: true
        )
        var configuration = PhoneSetup(platform: .apple, folder: path)
        configuration.backend = backend
        change(&configuration)
        let lines = lines
        app = try PhoneApp(configuration) { lines.append($0) }
    }

    /// Has it do something; what went wrong.
    func perform(_ command: PhoneCommand) async -> String? {
        await app.perform(command)
        return lines.events.last { $0.event == .done }?.text
    }

    /// Waits until its lines are as expected, and returns them.
    @discardableResult
    func until(
        _ expectation: String,
        _ isReached: @escaping @Sendable ([PhoneLine]) -> Bool
    ) async throws -> [PhoneLine] {
        try await lines.wait(for: expectation, until: isReached)
    }
}

extension MuteHub {
    /// This as the backend of an app.
    func backend() throws -> BackendFile {
        let file = try ConnectionFile(dataFolder: folder.path)
        return BackendFile(host: "localhost", port: Int(file.rest.port), ca: file.ca)
    }

    /// What a backend beside a hub answers to the login of a user.
    static func login(_ user: String, _ hub: HostedHub) throws -> Reaction {
        let listen = try ConnectionString(parsing: hub.connection.connectionStrings.listen)
        let now = UInt64(Date().timeIntervalSince1970 * 1_000)
        let token = ListenTokens(listen, hub: "hub").token(atMilliseconds: now)
        return .reply(
            200,
            [:],
            body: #"{"User":"\#(user)","AccessToken":"x","AccessTokenExpiresInSeconds":600,"#
                + #""Hub":"hub","DeviceHost":"\#(hub.connection.devices.host)","#
                + #""DevicePort":\#(hub.connection.devices.port),"#
                + #""ListenToken":\#(PlatformPayload.json(token)),"#
                + #""ListenTokenExpiresInSeconds":300}"#
        )
    }

    /// The paths that were asked for, without queries, in order.
    var paths: [String] {
        requests.events.map { request in String(request.line.prefix { $0 != "?" }) }
    }
}
