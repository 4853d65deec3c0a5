import Foundation
import HubData
import HubDoctor
import HubTestSupport
import HubVocabulary
import Testing

@testable import HubExamination

@Suite("Facts for the doctor")
struct ReadingTests {
    private let folder = FileManager.default.temporaryDirectory
        .appendingPathComponent("belfry-doctor-\(UUID().uuidString)").path

    private func write(_ text: String, to name: String, mode: Int = 0o600) throws {
        let path = folder + "/" + name
        let above = URL(fileURLWithPath: path).deletingLastPathComponent().path
        try DataFolder.makeFolder(above)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    @Test("name modes, files with keys, schemas and backups of a folder, and leave nothing there")
    func folders() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        #expect(FolderReading.facts(of: folder) == nil)
        try write("{}", to: "namespace.json")
        try write("key", to: "tls/server-key.pem", mode: 0o640)
        try write("{}", to: "hubs/hub/keys.json", mode: 0o604)
        try write(
            "SQLite format 3\0" + String(repeating: "\0", count: 47) + "\u{3}",
            to: "hubs/hub/a.sqlite"
        )
        try write("no database", to: "hubs/hub/b.sqlite")
        try FileManager.default.setAttributes([.posixPermissions: 0o750], ofItemAtPath: folder)
        let facts = try #require(FolderReading.facts(of: folder + "/", syncs: 3))
        #expect(facts.path == folder && facts.mode == 0o750)
        let modes = facts.secrets.map { "\($0.path.dropFirst(folder.count + 1)) \($0.mode)" }
        #expect(
            modes == ["namespace.json 384", "tls/server-key.pem 416", "hubs/hub/keys.json 388"]
        )
        #expect(facts.oldFiles.map(\.schema) == [3] && facts.oldFiles[0].bytes == 64 + 11)
        #expect(facts.syncMicroseconds.count == 3 && facts.syncMicroseconds.allSatisfy { $0 >= 0 })
        #expect((facts.freeBytes ?? 0) > 0 && !facts.fileSystem.isEmpty)
        if case .made? = facts.backup { Issue.record("a backup is known") }
        try LastBackup(madeAt: 5_000, isVerified: true).write(data: folder)
        let later = FolderReading.facts(of: folder, syncs: 0)
        guard case .made(let time, isVerified: true)? = later?.backup else {
            Issue.record("no backup is known")
            return
        }
        #expect(time.milliseconds == 5_000)
        let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        #expect(names == ["hubs", "last-backup.json", "namespace.json", "tls"])
    }

    @Test("name a process of connection.json that is gone")
    func gone() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let ended = try Process.run(URL(fileURLWithPath: "/bin/true"), arguments: [])
        try ended.end()
        for (process, gone) in [
            (ended.processIdentifier, Int(ended.processIdentifier)), (getpid(), nil),
        ] {
            let text =
                #"{"hub":"h","rest":{"host":"h","port":1},"devices":{"host":"h","port":1},"#
                + #""connectionStrings":{"full":"","listen":"","send":""},"pid":\#(process)}"#
            try write(text, to: "connection.json")
            #expect(FolderReading.facts(of: folder, syncs: 0)?.goneProcess == gone)
        }
    }

    @Test("find the mount of a path, of those that were made one over another the last")
    func mounts() {
        let table = MountTable(
            """
            21 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro
            22 21 0:30 / /var/lib rw - tmpfs tmpfs rw
            23 21 8:2 / /var/lib rw,noatime - xfs /dev/sdb rw,nobarrier
            24 21 0:31 / /mnt/a\\040b rw - nfs4 host:/a rw
            25 nothing
            """
        )
        #expect(table.mounts.count == 4)
        #expect(table.mount(of: "/srv")?.type == "ext4")
        #expect(
            table.mount(of: "/var/lib/belfry")?.options == ["rw", "noatime", "rw", "nobarrier"]
        )
        #expect(table.mount(of: "/var/library")?.type == "ext4")
        #expect(table.mount(of: "/mnt/a b")?.type == "nfs4")
        #expect(MountTable("").mount(of: "/") == nil)
    }

    @Test("read limits and groups as the kernel writes them")
    func machine() {
        let limits = "Limit  Soft Limit  Hard Limit\nMax open files   1024   524288   files\n"
        #expect(MachineReading.openFiles(limits, isRunning: true) == 1_024)
        #expect(MachineReading.openFiles(limits, isRunning: false) == 524_288)
        #expect(MachineReading.openFiles("", isRunning: false) == nil)
        #expect(MachineReading.controlGroup("1:name=x:/a\n0::/b/c") == "/b/c")
        #expect(MachineReading.controlGroup("1:name=x:/a") == nil)
        let facts = MachineReading.facts(process: nil)
        #expect((facts.openFilesMax ?? 0) > 0 && (facts.acceptQueueMax ?? 0) > 0)
    }

    @Test("tell of a certificate its end, names, pair, and the authority that its file lacks")
    func certificates() throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try DataFolder.makeFolder(folder)
        let script = """
            set -e; cd "$0"; key='-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes'
            openssl req -x509 $key -subj /CN=Root -days 9 -keyout ca-key.pem -out ca.pem
            openssl req -x509 $key -subj /CN=Other -days 9 -keyout other-key.pem -out other.pem
            openssl req $key -subj /CN=x -keyout key.pem -out x.csr
            printf 'subjectAltName=DNS:push.example.net,IP:127.0.0.1,IP:2001:db8::1\\n' > x.ext
            openssl x509 -req -in x.csr -CA ca.pem -CAkey ca-key.pem -CAcreateserial -days 9 \
                -extfile x.ext -out leaf.pem
            cat leaf.pem ca.pem > chain.pem
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/bash")
        process.arguments = ["-c", script, folder]
        process.standardError = FileHandle.nullDevice
        try process.run()
        #expect(try process.end() == 0)
        func facts(_ chain: String, _ key: String, isDevelopment: Bool = false) -> ShownCertificate?
        {
            CertificateReading.facts(
                chain: folder + "/" + chain,
                key: folder + "/" + key,
                isDevelopment: isDevelopment
            )
        }
        let whole = try #require(facts("chain.pem", "key.pem"))
        #expect(whole.names == ["push.example.net", "127.0.0.1", "2001:db8::1"])
        #expect(whole.missingIssuer == nil && whole.unequalPair == nil)
        let days = (Double(whole.end?.milliseconds ?? 0) / 1_000 - Date().timeIntervalSince1970)
        #expect((8.9...9.1).contains(days / 86_400))
        let hasRoots = FileManager.default.fileExists(atPath: "/etc/ssl/certs/ca-certificates.crt")
        #expect(facts("leaf.pem", "key.pem")?.missingIssuer == (hasRoots ? "CN=Root" : nil))
        #expect(facts("leaf.pem", "key.pem", isDevelopment: true)?.missingIssuer == nil)
        #expect(facts("leaf.pem", "other-key.pem")?.unequalPair?.key == folder + "/other-key.pem")
        #expect(facts("key.pem", "key.pem") == nil)
    }

    @Test("tell a setting that is not there, and the values of those that are")
    func settings() async throws {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try write(#"{"names": "a.example"}"#, to: "belfry.json")
        let good = await SettingsReading.facts(of: folder).settings
        #expect(good.mistake == nil && good.values["names"] == "a.example")
        #expect(good.fileChanged != nil)
        try write(#"{"name": "a.example"}"#, to: "belfry.json")
        let bad = await SettingsReading.facts(of: folder)
        let mistake = try #require(bad.settings.mistake)
        #expect(mistake.contains("did you mean 'names'"))
    }
}
