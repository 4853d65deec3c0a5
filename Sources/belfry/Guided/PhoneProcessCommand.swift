import ArgumentParser
import DeviceEmulator
import Foundation
import HubClient

/// `belfry phone`: a phone of a guided run, told what to do on standard input.
struct PhoneProcessCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "phone",
        abstract: "A phone of a guided run: commands in, lines out, both JSON.",
        shouldDisplay: false
    )

    @Option(help: "The data folder of a hub, for an app with a Listen key.")
    var data: String?

    @Option(help: "The folder of an app backend.")
    var backendData: String?

    @Option(help: "apple, gcm, fcm, wns or another platform.")
    var platform = "apple"

    @Option(help: "Where the app remembers.")
    var folder: String?

    func run() async throws {
        guard let platform = DevicePlatform(named: platform) else {
            throw ValidationError("'\(platform)' is no platform.")
        }
        var configuration = PhoneApp.Configuration(platform: platform)
        configuration.folder = folder
        do {
            if let backendData {
                let file = try BackendFile(folder: backendData)
                configuration.backend = file
                configuration.authority = file.ca
            } else {
                configuration.connection = try ConnectionFile(dataFolder: data ?? ".")
            }
            let app = try PhoneApp(configuration) { Terminal.line($0.json) }
            for await line in Self.lines() {
                guard
                    let command = try? JSONDecoder().decode(
                        PhoneCommand.self,
                        from: Data(line.utf8)
                    )
                else { continue }
                await app.perform(command)
            }
            await app.close()
        } catch {
            throw Failure(error)
        }
    }

    /// The lines of standard input, read on a thread of their own.
    private static func lines() -> AsyncStream<String> {
        let (stream, continuation) = AsyncStream<String>.makeStream()
        Thread.detachNewThread {
            while let line = readLine() { continuation.yield(line) }
            continuation.finish()
        }
        return stream
    }
}
