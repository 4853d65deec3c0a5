import ArgumentParser
import CommandTerminal
import Foundation
import HubConformance

/// The hub that the kit plays against a client.
struct PlayedHub: ParsableArguments {
    @Option(help: "Where --listen writes the certificate that the client must trust.")
    var certificate = "conformance.pem"

    @Option(
        name: .customLong("name"),
        help: "A name or address in it; may be given several times."
    )
    var names: [String] = ["localhost", "127.0.0.1", "::1"]

    @Option(help: "A command that makes the client connect again once it stays away, as it should.")
    var wake: String?

    @Option(help: "Seconds in which the client comes when it was started or woken.")
    var patience = 60

    /// Plays, on a thread of its own.
    func run(at address: String, _ played: PlayedRules) async throws -> [Finding] {
        let place = try LentToKit.place(address)
        var client = try Failure.told {
            try ClientUnderTest(host: place.0, port: place.1, names: names)
        }
        client.patience = patience * 1_000
        let command = wake
        client.wake = { Self.wake(command) }
        try Failure.told {
            try Data(client.certificate.certificate.utf8)
                .write(to: URL(fileURLWithPath: certificate))
        }
        Terminal.note(
            "connect your client to \(place.0):\(client.port), with any hub name and any token; "
                + "it must trust \(certificate)"
        )
        let (kit, waiting) = (played.clientKit, client)
        return try await PlayedRules.onThread { () throws(KitFault) in
            try kit.run(waiting) { played.tell($0) }
        }
    }

    private static func wake(_ command: String?) {
        guard let command else {
            Terminal.note("your client stays away, as it should: make it connect again")
            return
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        do {
            try process.run()
            process.waitUntilExit()
        } catch {
            Terminal.note("--wake failed: \(error)")
        }
    }
}
