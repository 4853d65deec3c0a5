import HubDoctor
import HubVocabulary
import Testing

/// Each check with facts that make it speak, and the nearest ones that do not.
@Suite("The doctor")
struct DoctorTests {
    /// 2026-05-04T09:12:00Z.
    private static let now = Timestamp(milliseconds: 1_777_885_920_000)

    private static func ago(days: UInt64 = 0, minutes: UInt64 = 0) -> Timestamp {
        Timestamp(milliseconds: now.milliseconds - (days * 1_440 + minutes) * 60_000)
    }

    /// Facts of a hub that is well.
    private static func well() -> DoctorFacts {
        var facts = DoctorFacts(now: now, release: "0.2.0")
        facts.options = "--data /data"
        var folder = FolderFacts(path: "/data", mode: 0o700)
        folder.secrets = [.init(path: "/data/namespace.json", mode: 0o600)]
        (folder.fileSystem, folder.mountOptions) = ("ext4", ["rw", "noatime"])
        folder.freeBytes = 50_000_000_000
        folder.syncMicroseconds = Array(repeating: 900, count: 99) + [90_000]
        folder.schemaWritten = 5
        folder.backup = .made(ago(days: 7), isVerified: true)
        facts.folder = folder
        var machine = MachineFacts()
        (machine.openFilesMax, machine.acceptQueueMax) = (8_192, 1_024)
        (machine.memoryBytesMax, machine.isClockSynchronised) = (1 << 30, true)
        facts.machine = machine
        facts.settings = SettingsFacts(values: [
            "names": "push.example.net", "rest.host": "0.0.0.0", "confirm.public.bind": "true",
            "device.submission": "ring",
        ])
        facts.settings?.fileChanged = ago(days: 3)
        var certificate = ShownCertificate()
        certificate.end = Timestamp(milliseconds: now.milliseconds + 30 * 86_400_000)
        certificate.names = ["*.example.net"]
        facts.certificate = certificate
        var server = ServerFacts(version: "0.2.0", started: ago(days: 2))
        (server.clockSeconds, server.numbersRead) = (-59, ago(minutes: 9))
        var hub = HubFacts(name: "hub")
        (hub.waiting, hub.registrations, hub.connected) = (1_000, 200_000, 100_000)
        (hub.logBytesPerDay, hub.deviceCap, hub.behind) = (7_000_000_000, 10_000, [9_000, 3])
        hub.rules = [rule("AppAll", isManaging: true), rule("Apps", isUsedByDevices: true)]
        hub.relays = [RelayFacts(platform: "gcm"), appleRelay(days: 30)]
        server.hubs = [hub]
        facts.server = server
        facts.link = LinkFacts(place: "push.example.net:9443", answer: .hub)
        var cluster = ClusterFacts(database: "postgres://belfry@db/belfry")
        (cluster.clockMilliseconds, cluster.synchronousNames) = (-999, "ANY 1 (b, c)")
        (cluster.standbys, cluster.synchronous) = (2, 1)
        facts.cluster = cluster
        return facts
    }

    private static func appleRelay(days: UInt64) -> RelayFacts {
        RelayFacts(platform: "apple", certificateEnd: now.adding(seconds: days * 86_400))
    }

    private static func rule(
        _ name: String,
        isManaging: Bool = false,
        isUsedByDevices: Bool = false
    ) -> RuleFacts {
        var rule = RuleFacts(
            name: name,
            isManaging: isManaging,
            primary: .init(made: ago(days: 365), used: ago(days: 0)),
            secondary: .init(made: ago(days: 8), used: nil)
        )
        rule.isUsedByDevices = isUsedByDevices
        return rule
    }

    /// A change of facts, and the lines that it leads to.
    struct Case: Sendable, CustomTestStringConvertible {
        let lines: [String]
        let change: @Sendable (inout DoctorFacts) -> Void

        init(_ lines: String..., change: @escaping @Sendable (inout DoctorFacts) -> Void) {
            self.lines = lines
            self.change = change
        }

        var testDescription: String { lines.first ?? "" }
    }

    static let cases: [Case] = folderCases + machineCases + certificateCases + hubCases

    private static let folderCases: [Case] = [
        Case(
            "E01 /data can be read by others (mode 0755). → chmod 700 /data",
            "E01 /data/k.json holds keys and can be read by others (mode 0640). → chmod 600 /data/k.json"
        ) {
            $0.folder?.mode = 0o755
            $0.folder?.secrets.append(.init(path: "/data/k.json", mode: 0o640))
        },
        Case(
            "W02 connection.json names process 4711, which is not running. "
                + "→ Start the hub: belfry serve writes the file anew."
        ) { $0.folder?.goneProcess = 4_711 },
        Case(
            "E03 /data is on nfs4; its syncs are not to be trusted, so 201 is not either. "
                + "→ Move the folder to a local disk (ext4, xfs)."
        ) { $0.folder?.fileSystem = "nfs4" },
        Case(
            "E03 /data is on tmpfs; what is stored is gone with the machine. "
                + "→ Move the folder to a local disk (ext4, xfs)."
        ) { $0.folder?.fileSystem = "tmpfs" },
        Case(
            "E04 The disk has 48 GB free and the log grows by 7 GB a day: full in 6 days. "
                + "→ Enlarge it, or keep less: belfry settings --ttl 259200 --retention 259200 "
                + "--data /data"
        ) { $0.folder?.freeBytes = 48_000_000_000 },
        Case(
            "E04 The disk has 1 GB free. "
                + "→ Enlarge it, or keep less: belfry settings --ttl 259200 --retention 259200 "
                + "--data /data"
        ) {
            $0.folder?.freeBytes = 1_073_741_823
            $0.server?.hubs[0].logBytesPerDay = nil
        },
        Case(
            "W05 A sync takes 38 ms (p99 of 100): about 26 durable sends a second one by one. "
                + "→ Use a disk with power-loss protection, or put many sends into one request."
        ) { $0.folder?.syncMicroseconds[0...1] = [38_000, 38_000] },
        Case(
            "E06 /data is mounted with nobarrier; a power cut can take what was answered. "
                + "→ Mount it without that option."
        ) { $0.folder?.mountOptions.append("nobarrier") },
        Case(
            "W19 No backup of this folder is known. "
                + "→ belfry backup --data /data --to COPY --verify"
        ) { $0.folder?.backup = FolderFacts.Backup.none },
        Case(
            "W19 The last backup is 9 days old. → belfry backup --data /data --to COPY --verify"
        ) { $0.folder?.backup = .made(ago(days: 9), isVerified: true) },
        Case(
            "W19 The backup of 2026-05-03 was never read back. "
                + "→ belfry backup --data /data --to COPY --verify"
        ) { $0.folder?.backup = .made(ago(days: 1), isVerified: false) },
        Case(
            "W31 Files of hub have schema 4; this release writes 5 and copies 12 GB at its next "
                + "start; 50 GB are free. → Make room, and a backup, before the upgrade."
        ) { $0.folder?.oldFiles = [.init(hub: "hub", schema: 4, bytes: 12_000_000_000)] },
        Case(
            "W34 The line of the audit with number 1842 does not fit the one before. "
                + "→ Somebody changed audit/: compare it with a backup."
        ) { $0.folder?.brokenAuditEntry = 1_842 },
    ]

    private static let machineCases: [Case] = [
        Case(
            "E07 The process may open 1,024 files: at most some 900 devices. "
                + "→ LimitNOFILE=1048576 in the service, ulimit -n 1048576 in a shell."
        ) { $0.machine?.openFilesMax = 1_024 },
        Case(
            "W08 The cgroup allows 339 MB; 100,000 devices and their registrations take some "
                + "339 MB. → Raise MemoryMax.",
            "W08 net.core.somaxconn is 128; 1,024 connections should be able to wait. "
                + "→ sysctl -w net.core.somaxconn=1024"
        ) {
            $0.machine?.memoryBytesMax = (128 << 20) + 100_000 * 1_536 + 200_000 * 256 - 1
            $0.machine?.acceptQueueMax = 128
        },
        Case(
            "E09 The clocks of the hub and of this machine differ by 94 s; tokens are refused from "
                + "60 s on. → Start chrony or systemd-timesyncd, here and where the hub runs."
        ) { $0.server?.clockSeconds = -94 },
        Case(
            "W09 The clock is not synchronised; tokens are refused from 60 s on. "
                + "→ Start chrony or systemd-timesyncd, here and where the hub runs."
        ) { $0.machine?.isClockSynchronised = false },
        Case(
            "W18 io_uring is not permitted here (errno 1): every write is a call of its own. "
                + "→ Allow it in the container's filter, or set device.submission = send."
        ) { $0.machine?.ringError = 1 },
        Case(
            "E29 push.example.net:9443 does not answer from this machine. "
                + "→ Look at firewall, DNS, and NAT without a way back."
        ) { $0.link?.answer = .none },
        Case(
            "E30 Between here and push.example.net:9443 something else ends TLS (its certificate is "
                + "not ours). → The device link must pass through unopened (TCP, not HTTP)."
        ) { $0.link?.answer = .stranger },
    ]

    private static let certificateCases: [Case] = [
        Case(
            "E10 The certificate ended on 2026-05-04. "
                + "→ Renew it, then belfry reload; systemctl restart belfry where systemd has a copy "
                + "of it (LoadCredential)."
        ) { $0.certificate?.end = $0.now },
        Case(
            "W10 The certificate ends in 12 days (2026-05-16). "
                + "→ Renew it, then belfry reload; systemctl restart belfry where systemd has a copy "
                + "of it (LoadCredential)."
        ) {
            $0.certificate?.end = Timestamp(milliseconds: $0.now.milliseconds + 12 * 86_400_000)
        },
        Case(
            "E11 The certificate is not for a.b.example.net, which connection strings name. "
                + "→ Use a certificate with that name, or take the name out of the setting names."
        ) { $0.settings?.values["names"] = "push.example.net,a.b.example.net" },
        Case(
            "E12 The certificate file lacks the intermediate R11: clients that do not have it refuse "
                + "the hub. → Use the full chain."
        ) { $0.certificate?.missingIssuer = "R11" },
        Case(
            "E13 key.pem does not belong to chain.pem. "
                + "→ Name the pair that was issued together."
        ) { $0.certificate?.unequalPair = ("chain.pem", "key.pem") },
        Case(
            "W14 The hub can be reached from elsewhere with the development certificate. "
                + "→ --certificate and --key, or hand tls/ca.pem to every client."
        ) { $0.certificate?.isDevelopment = true },
        Case(
            "E15 REST listens on 0.0.0.0, and names is empty: connection strings say localhost. "
                + "→ BELFRY_NAMES=push.example.net"
        ) { $0.settings?.values["names"] = "" },
        Case(
            "E16 belfry.json: rest.prot: there is no such setting: did you mean 'rest.port'? "
                + "→ Correct it; the handbook's chapter Configuration lists all settings."
        ) {
            $0.settings?.mistake =
                "belfry.json: rest.prot: there is no such setting: did you mean 'rest.port'?"
        },
        Case(
            "W17 belfry.json was changed at 2026-05-03 09:12 UTC, after the hub was started at "
                + "2026-05-02 09:12 UTC. → belfry reload takes limits and the log's level, and its "
                + "log names the rest; restart for those."
        ) { $0.settings?.fileChanged = ago(days: 1) },
        Case(
            "W23 access.listen.may.set.protected.tags is on: who has a Listen key gets anybody's "
                + "notifications. → Let the back end register for users, and switch it off."
        ) { $0.settings?.values["access.listen.may.set.protected.tags"] = "true" },
    ]

    private static let hubCases: [Case] = [
        Case(
            "W20 The primary key of AppAll is 366 days old. "
                + "→ belfry key rotate AppAll --data /data --hub hub"
        ) { $0.server?.hubs[0].rules[0].primary.made = ago(days: 366) },
        Case(
            "W21 Rotation of AppAll stands still for 8 days: both keys are in use. "
                + "→ Find the sender: belfry key list --data /data --hub hub shows each use; then "
                + "go on."
        ) { $0.server?.hubs[0].rules[0].secondary.used = ago(days: 6) },
        Case(
            "E22 Devices connect with the rule AppAll, which has Manage. "
                + "→ Give apps a Listen rule, then belfry key rotate AppAll --data /data "
                + "--hub hub"
        ) { $0.server?.hubs[0].rules[0].isUsedByDevices = true },
        Case(
            "E24 The hub refuses sends: hub 'hub': the store does not answer. "
                + "→ See BelfryRefusesSends in the runbook."
        ) { $0.server?.problems = ["hub 'hub': the store does not answer"] },
        Case(
            "W25 4,120 requests wait for the writer of hub. "
                + "→ See BelfryWriterStuck in the runbook: usually the disk (W05)."
        ) { $0.server?.hubs[0].waiting = 4_120 },
        Case(
            "W26 3 registrations of hub have a template that does not compile; they get nothing. "
                + "→ Have their apps register anew; the log names each at the start."
        ) { $0.server?.hubs[0].undeliverable = 3 },
        Case(
            "W27 2 devices of hub are more than 9,000 notifications behind; from 10,000 on they lose "
                + "the oldest. "
                + "→ Raise the cap: belfry settings --device-cap N --data /data --hub hub. "
                + "Or shorten --ttl, or use collapse keys."
        ) { $0.server?.hubs[0].behind = [20_000, 9_001, 9_000] },
        Case(
            "W28 40 REST connections were refused because their address had too many. "
                + "→ If it is a balancer, name it in rest.proxy, or raise "
                + "rest.connections.per.address."
        ) { $0.server?.refusedConnections = 40 },
        Case(
            "W32 The running hub is 0.1.0, this command 0.2.0. "
                + "→ systemctl restart belfry; devices are told when to come back."
        ) { $0.server?.version = "0.1.0" },
        Case(
            "W33 The numbers were not read for 10 minutes. "
                + "→ Have Prometheus read /$belfry/metrics with the token of metrics.token."
        ) { $0.server?.numbersRead = ago(minutes: 10) },
        Case(
            "E35 The relay of hub to gcm stands still: the credential is refused. "
                + "→ See BelfryRelayStandsStill in the runbook."
        ) { $0.server?.hubs[0].relays[0].refusal = "the credential is refused" },
        Case(
            "W36 The certificate of hub for apple ends in 29 days (2026-06-02). "
                + "→ See BelfryRelayCertificateEndsInMonth in the runbook."
        ) { $0.server?.hubs[0].relays[1] = appleRelay(days: 29) },
        Case(
            "E36 The certificate of hub for apple ended on 2026-05-04. "
                + "→ See BelfryRelayCertificateEndsInMonth in the runbook."
        ) { $0.server?.hubs[0].relays[1] = appleRelay(days: 0) },
        Case(
            "E37 The hubs' database postgres://belfry@db/belfry cannot be used: no answer. "
                + "→ Look at PostgreSQL, and at the network to it."
        ) { $0.cluster?.fault = "no answer." },
        Case(
            "E38 cluster.key, which opens the keys of the hubs, is missing. "
                + "→ Copy that of the node that leads them."
        ) { $0.cluster?.keyFault = "is missing" },
        Case(
            "W39 The database's clock is 1,000 ms behind this machine's. Leases go by it, and expiry "
                + "by the leader's. "
                + "→ Have every node and every host of PostgreSQL follow NTP."
        ) { $0.cluster?.clockMilliseconds = -1_000 },
        Case(
            "W39 The database's clock is 2,500 ms ahead of this machine's. Leases go by it, and expiry "
                + "by the leader's. "
                + "→ Have every node and every host of PostgreSQL follow NTP."
        ) { $0.cluster?.clockMilliseconds = 2_500 },
        Case(
            "W40 PostgreSQL has no synchronous standby: sends are lost with its disk. "
                + "→ Start a standby, and name it in synchronous_standby_names."
        ) { $0.cluster?.synchronousNames = "" },
        Case(
            "E40 No synchronous standby is connected to PostgreSQL: sends wait for one. "
                + "→ Start it, or change synchronous_standby_names (ANY 1 (b, c)) and reload."
        ) { $0.cluster?.synchronous = 0 },
        Case(
            "E40 No synchronous standby is connected to PostgreSQL: sends wait for one. "
                + "→ Start it, or change synchronous_standby_names (ANY 1 (b, c)) and reload."
        ) {
            $0.cluster?.synchronous = nil
            $0.cluster?.standbys = 0
        },
    ]

    private static func lines(_ facts: DoctorFacts) -> [String] {
        DoctorCheck.all.flatMap { $0.findings(facts) }.map { "\($0.id) \($0.text) → \($0.remedy)" }
    }

    @Test("finds nothing where all is well, and where nothing is known")
    func wellness() {
        #expect(Self.lines(Self.well()) == [])
        #expect(Self.lines(DoctorFacts(now: Self.now, release: "0.2.0")) == [])
    }

    @Test("says each finding with its remedy", arguments: cases)
    func finding(_ sample: Case) {
        var facts = Self.well()
        sample.change(&facts)
        #expect(Self.lines(facts) == sample.lines)
    }

    @Test("prints commands that a shell carries out as they are meant")
    func words() {
        for plain in ["RootManageSharedAccessKey", "./data", "a_b-1.c"] {
            #expect(DoctorFacts.word(plain) == plain)
        }
        #expect(DoctorFacts.word("x; curl y|sh") == "'x; curl y|sh'")
        #expect(DoctorFacts.word("it's $(x)") == #"'it'\''s $(x)'"#)
        #expect(DoctorFacts.word("") == "''")
    }

    @Test("has 40 checks, each of them with a finding above")
    func numbers() {
        #expect(DoctorCheck.all.map(\.number) == Array(1...40))
        let found = Set(Self.cases.flatMap(\.lines).compactMap { Int($0.dropFirst().prefix(2)) })
        #expect(found == Set(1...40))
    }
}
