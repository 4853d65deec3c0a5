import ArgumentParser
import CommandTerminal
import Foundation
import HubDoctor
import HubExamination
import HubSender
import HubVocabulary
import PhoneScreen

/// `belfry doctor`.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Looks for what may harm a hub, and says the way out of each finding.",
        usage: "belfry doctor [<options>]",
        discussion: """
            It looks at folder, disk, machine, settings and certificate of --data, and at the hub \
            when it runs; with --context at the hub alone. It exits 1 when it finds an error.

            Examples:
              belfry doctor --data ./data
              belfry doctor --data ./data --fail-on warning --json
              belfry doctor --context prod
            """
    )

    enum Level: String, CaseIterable, ExpressibleByArgument {
        case error
        case warning
    }

    @OptionGroup var hubOptions: HubOptions

    @Flag(help: "Prints the findings as JSON.")
    var json = false

    @Option(help: "The least severe finding with which it exits 1: error or warning.")
    var failOn = Level.error

    func validate() throws { try hubOptions.refuseHub(since: "The command is about all hubs") }

    func run() async throws {
        let facts = try await facts()
        let findings = DoctorCheck.all.flatMap { $0.findings(facts.found) }
        if json {
            try Terminal.json(findings)
        } else {
            show(findings, isRunning: facts.found.server != nil)
        }
        if let unanswered = facts.unanswered {
            Terminal.note("The hub runs, and does not answer: \(unanswered)")
        }
        let isBad = findings.contains { $0.severity == .error || failOn == .warning }
        if isBad || facts.unanswered != nil { throw ExitCode(1) }
    }

    private static func count(_ number: Int, _ word: String) -> String {
        number == 1 ? "1 \(word)" : "\(number) \(word)s"
    }

    /// The facts, and why a hub that runs told none.
    private func facts() async throws -> (found: DoctorFacts, unanswered: String?) {
        let now = Timestamp(milliseconds: UInt64(Date().timeIntervalSince1970 * 1_000))
        var facts = DoctorFacts(now: now, release: Release.version)
        facts.options = hubOptions.spelled
        guard let data = hubOptions.data else {
            let server = try await server()
            facts.server = server.facts
            facts.settings = SettingsFacts(values: server.settings)
            let port = server.settings["device.port"].flatMap { UInt16($0) }
            let (host, ca) = try Connecting.place(hubOptions)
            if let port {
                facts.link = await LinkReading.facts(host: host, port: port, authority: ca)
            }
            return (facts, nil)
        }
        guard let folder = FolderReading.facts(of: data) else {
            throw Failure("there is no folder \(data)")
        }
        facts.folder = folder
        let found = await SettingsReading.facts(of: data)
        (facts.settings, facts.certificate) = (found.settings, found.certificate)
        facts.cluster = await ClusterReading.facts(of: data)
        // A hub that does not run has no such file; one that was killed is told by a check.
        let description = try? Connecting.file(data)
        let file = folder.goneProcess == nil ? description : nil
        facts.machine = MachineReading.facts(process: file.map { Int($0.pid) })
        guard let file else { return (facts, nil) }
        var unanswered: String?
        do {
            facts.server = try await server().facts
        } catch {
            // What keeps it from answering may be among the other facts, such as the certificate.
            unanswered = "\(error)"
        }
        facts.link = await LinkReading.facts(
            host: file.devices.host,
            port: file.devices.port,
            authority: file.ca
        )
        return (facts, unanswered)
    }

    /// The facts of the hub that runs, and its settings.
    private func server() async throws -> (facts: ServerFacts, settings: [String: String]) {
        let reading = ServerReading { [hubOptions] path, fields in
            try await Connecting.askingServer(hubOptions) { sender throws(SenderError) in
                try await sender.row(.get, path, fields)
            }
        }
        return try await reading.facts()
    }

    private func show(_ findings: [DoctorFinding], isRunning: Bool) {
        for finding in findings {
            let isError = finding.severity == .error
            let head =
                isError ? Terminal.bad("✗ \(finding.id)") : Terminal.doubtful("! \(finding.id)")
            Terminal.line("\(head) \(SafeText.line(finding.text))")
            Terminal.line("  → \(SafeText.line(finding.remedy))")
        }
        let errors = findings.count { $0.severity == .error }
        let sum =
            findings.isEmpty
            ? Terminal.good("nothing found")
            : "\(Self.count(errors, "error")), \(Self.count(findings.count - errors, "warning"))"
        let part = isRunning ? "" : "; no hub runs there, so only its surroundings were looked at"
        Terminal.line(sum + part)
    }
}
