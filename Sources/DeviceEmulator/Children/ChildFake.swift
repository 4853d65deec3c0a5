import Foundation
import HubVocabulary

/// A fake of a push service in a process of its own, with a folder that goes with it.
final class ChildFake: Sendable {
    /// The services that a guided run has.
    enum Service: String, CaseIterable, Sendable {
        case apns, fcm, webpush

        /// The service as people call it.
        var name: String {
            switch self {
            case .apns: "APNs"
            case .fcm: "FCM"
            case .webpush: "the browser's service"
            }
        }

        /// The platform of its installations.
        var platform: Platform {
            switch self {
            case .apns: .apple
            case .fcm: .fcmV1
            case .webpush: .browser
            }
        }

        fileprivate var hosts: [String] {
            switch self {
            case .apns: ["api.push.apple.com"]
            case .fcm: ["fcm.googleapis.com", "oauth2.googleapis.com"]
            case .webpush: ["updates.push.services.mozilla.com"]
            }
        }
    }

    /// A request that it got.
    struct Message: Decodable, Sendable {
        var method: String
        var host: String
        var path: String
        var handle: String
        var text: String
        var status: Int?
    }

    private struct Start: Decodable {
        var port: Int
    }

    /// Which service it plays.
    let service: Service
    private let folder: String
    private let program: ChildProgram
    private let port: Int

    /// Starts `belfry fake` on a free port and waits until it listens.
    /// - Throws: `.notStarted`, `.silent`.
    init(_ launcher: Launcher, _ service: Service, patience: Duration) async throws(ChildFault) {
        self.service = service
        folder =
            FileManager.default.temporaryDirectory
            .appendingPathComponent("belfry-fake-\(UUID().uuidString)").path
        program = try ChildProgram(
            launcher,
            [
                "fake", service.rawValue, "--port", "0", "--folder", folder, "--json",
                "--until-stdin-closes",
            ]
        )
        let isThere = await program.wait(patience) { !$0.isEmpty }
        let line = program.lines.first ?? ""
        // A first line of another kind is that of a program that could not start.
        let start = try? JSONDecoder().decode(Start.self, from: Data(line.utf8))
        guard isThere, let start else {
            program.finish()
            throw .silent(what: service.name)
        }
        port = start.port
    }

    /// The settings of a hub that takes fakes for the services.
    static func environment(_ fakes: [ChildFake]) throws(ChildFault) -> [String: String] {
        guard let first = fakes.first else { return [:] }
        let places = fakes.flatMap { fake in
            fake.service.hosts.map { "\($0)=127.0.0.1:\(fake.port)" }
        }
        let authority = first.folder + "/authorities.pem"
        do {
            let all = try fakes.map { fake in
                try String(contentsOfFile: fake.folder + "/ca.pem", encoding: .utf8)
            }
            try Data(all.joined(separator: "\n").utf8).write(to: URL(fileURLWithPath: authority))
        } catch { throw .notStarted(reason: error.localizedDescription) }
        return [
            "BELFRY_RELAY_PLACES": places.joined(separator: ","),
            "BELFRY_RELAY_AUTHORITY": authority,
        ]
    }

    /// The arguments that give a hub the credential which the fake knows.
    var credential: [String] {
        switch service {
        case .apns:
            [
                "--apple-key", folder + "/AuthKey_FAKEKEY001.p8", "--team", "FAKETEAM01",
                "--bundle", "com.example.app",
            ]
        case .fcm: ["--firebase", folder + "/service-account.json"]
        case .webpush:
            ["--browser", folder + "/vapid.pem", "--subject", "mailto:ops@example.com"]
        }
    }

    /// The channel of an installation that the fake takes for one of its devices, as JSON.
    func channel() throws(ChildFault) -> String {
        switch service {
        case .apns: return "\"\(String(repeating: "c0ffee42", count: 8))\""
        case .fcm: return "\"phone:APA91bFakeToken\""
        case .webpush:
            do {
                let text = try String(
                    contentsOfFile: folder + "/subscription.json",
                    encoding: .utf8
                )
                // A subscription of a browser has its keys one level deeper than an installation.
                return text.replacing("\"keys\":{", with: "").replacing("}}", with: "}")
            } catch { throw .notStarted(reason: error.localizedDescription) }
        }
    }

    /// Waits for a message that holds a text; nil when none comes.
    func message(holding text: String, _ patience: Duration) async -> Message? {
        _ = await program.wait(patience) { !Self.messages($0, holding: text).isEmpty }
        return messages(holding: text).first
    }

    /// The messages so far that hold a text.
    func messages(holding text: String) -> [Message] {
        Self.messages(program.lines, holding: text)
    }

    private static func messages(_ lines: [String], holding text: String) -> [Message] {
        lines.compactMap { line in
            // The first line is no request.
            try? JSONDecoder().decode(Message.self, from: Data(line.utf8))
        }.filter { $0.text.contains(text) }
    }

    /// Ends it and removes its folder.
    func stop() {
        program.finish()
        // Files that stay lie in the system's temporary folder, which it empties itself.
        try? FileManager.default.removeItem(atPath: folder)
    }
}
