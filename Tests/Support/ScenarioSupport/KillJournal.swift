import DeviceEmulator
import Foundation

/// What the senders and devices of the kill rig wrote down, and whether it fits together.
struct KillJournal {
    /// One line of `Tests/Outside/Rigs/sender.py`.
    struct Attempt: Decodable {
        var key: String
        var kind: String
        var tries: Int
        var status: Int?
        var id: String?
        var error: String?

        /// Who sent it, and as which number.
        var place: (sender: Substring, number: Int) {
            let parts = key.split(separator: ".")
            return (parts[0], Int(parts[1]) ?? -1)
        }
    }

    /// A device of the rig: its options, and the kinds of sends that it must get.
    struct Device {
        var name: String
        var arguments: [String]
        var kinds: Set<String>
        /// Whether it writes what it has into a file, synced for each notification; where much
        /// comes, that takes longer than the hub takes.
        var keepsState: Bool { !kinds.contains("world") }

        static let all = [
            Device(
                name: "world",
                arguments: ["--platform", "apple", "--tag", "World"],
                kinds: ["world", "mixed", "everybody", "scheduled"]
            ),
            Device(
                name: "both",
                arguments: ["--platform", "apple", "--tag", "World", "--tag", "Sports"],
                kinds: ["world", "sports", "everybody", "scheduled"]
            ),
            Device(
                name: "gcm",
                arguments: ["--platform", "gcm", "--tag", "Sports"],
                kinds: ["gcm"]
            ),
            Device(
                name: "template",
                arguments: [
                    "--platform", "apple", "--tag", "World", "--template",
                    #"{"aps":{"alert":"$(m)"}}"#,
                ],
                kinds: ["template"]
            ),
            Device(
                name: "windows",
                arguments: [
                    "--platform", "wns", "--tag", "Sports", "--template",
                    #"<toast><visual><binding template="ToastText01"><text id="1">$(m)</text>"#
                        + "</binding></visual></toast>",
                    "--template-header", "X-WNS-Type=wns/toast",
                ],
                kinds: ["template"]
            ),
            Device(
                name: "other",
                arguments: ["--platform", "apple", "--tag", "Other"],
                kinds: ["everybody"]
            ),
        ]
    }

    /// What one device should have received, and did.
    struct Account {
        var name: String
        var expected: Set<String> = []
        var received: [String] = []
        var lost = 0
        var doubled = 0
        var misrouted = 0
        var outOfOrder = 0
    }

    /// Every attempt of all senders, each sender's in its order.
    let attempts: [Attempt]
    /// The id in `201`, by key.
    private(set) var accepted: [String: String] = [:]
    private(set) var kinds: [String: String] = [:]
    private(set) var accounts: [Account] = []
    private(set) var faults: [String] = []
    /// Answers `201` beyond the first for a key.
    private(set) var repeated = 0

    init(senders: [[String]], devices: [(Device, [String])]) throws {
        attempts = try senders.joined().map { line in
            try JSONDecoder().decode(Attempt.self, from: Data(line.utf8))
        }
        account(attempts)
        for (device, lines) in devices { try account(device, lines) }
    }

    /// Attempts without an answer, or with a refusal.
    var unanswered: Int { attempts.count { $0.status != 201 } }

    /// How many devices a key must have reached.
    func audience(of key: String) -> Int { accounts.count { $0.expected.contains(key) } }

    private mutating func account(_ attempts: [Attempt]) {
        var owners: [String: String] = [:]
        for attempt in attempts {
            kinds[attempt.key] = attempt.kind
            guard attempt.status == 201, let id = attempt.id else { continue }
            if let known = accepted[attempt.key] {
                repeated += 1
                if known != id { faults.append("\(attempt.key) is \(known), and then \(id)") }
                continue
            }
            if let other = owners[id] {
                faults.append("\(id) is both \(other) and \(attempt.key)")
            }
            accepted[attempt.key] = id
            owners[id] = attempt.key
        }
        for key in kinds.keys.sorted() where accepted[key] == nil {
            faults.append("\(key) was never answered with 201")
        }
    }

    private mutating func account(_ device: Device, _ lines: [String]) throws {
        var account = Account(name: device.name)
        account.expected = Set(kinds.filter { device.kinds.contains($0.value) }.keys)
        var seen: Set<String> = []
        var last: (sequence: UInt64, id: String) = (0, "")
        var numbers: [Substring: Int] = [:]
        for text in lines {
            let told = try JSONDecoder().decode(DeviceLine.self, from: Data(text.utf8))
            guard case .notification(let line) = told else {
                note(told, of: device)
                continue
            }
            guard let key = Self.key(in: line.payload ?? ""), key != "end" else { continue }
            let id = line.id
            account.received.append(key)
            if !account.expected.contains(key) { account.misrouted += 1 }
            if !seen.insert(key).inserted { account.doubled += 1 }
            if line.seq ?? 0 <= last.sequence || id <= last.id {
                account.outOfOrder += 1
                faults.append("\(device.name): \(key) at \(line.seq ?? 0) after \(last.sequence)")
            }
            last = (line.seq ?? 0, id)
            guard !key.hasSuffix(".scheduled") else { continue }
            check(key, line, of: device)
            // One thread's sends arrive as it sent them.
            let parts = key.split(separator: ".")
            let number = Int(parts[1]) ?? -1
            if let before = numbers[parts[0]], before >= number {
                faults.append("\(device.name): \(key) came after number \(before)")
            }
            numbers[parts[0]] = number
        }
        account.lost = account.expected.subtracting(seen).count
        for key in account.expected.subtracting(seen).sorted().prefix(5) {
            faults.append("\(device.name) lost \(key), \(accepted[key] ?? "without an id")")
        }
        if account.misrouted > 0 { faults.append("\(device.name) got what was not for it") }
        if account.doubled > 0 { faults.append("\(device.name) got something twice") }
        accounts.append(account)
    }

    /// Names of errors of a hub that stops, starts or may have lost its lead ([E-4]): the device keeps
    /// all, and comes back.
    private static let passing = ["DRAINING", "HANDSHAKE_TIMEOUT", "UNAVAILABLE"]

    /// A device is told of no loss, and nothing goes wrong on it but the connection.
    private mutating func note(_ line: DeviceLine, of device: Device) {
        switch line {
        case .gap(let gap): faults.append("\(device.name): gap, \(gap.reason)")
        case .error(let message):
            let isPassing = Self.passing.contains { message.hasPrefix("the hub reports \($0):") }
            if !isPassing { faults.append("\(device.name): error, \(message)") }
        case .connected(let session):
            guard session.outcome != "fresh", session.outcome != "resumed" else { return }
            faults.append("\(device.name): connected, \(session.outcome)")
        case .registered, .notification, .disconnected: break
        }
    }

    /// The device has the id and place that the sender was told.
    private mutating func check(
        _ key: String,
        _ line: DeviceLine.Notification,
        of device: Device
    ) {
        let told = (accepted[key] ?? "").split(separator: "-")
        let id = line.id.filter { $0 != "-" }.lowercased()
        let isSame =
            told.count == 4 && told[0].lowercased() == id
            && UInt64(told[2]) == line.seq
        if !isSame {
            faults.append("\(device.name): \(key) is \(id) at \(line.seq ?? 0), not \(told)")
        }
    }

    /// What stands between brackets in a payload.
    private static func key(in payload: String) -> String? {
        guard let open = payload.firstIndex(of: "["), let close = payload.lastIndex(of: "]")
        else { return nil }
        return String(payload[payload.index(after: open)..<close])
    }

    /// The account of every device as a table.
    var table: String {
        let scheduled = kinds.values.count { $0 == "scheduled" }
        var lines = [
            "answered with 201       \(accepted.count), of them scheduled \(scheduled)",
            "attempts                \(attempts.count), without 201 \(unanswered)",
            "answered again          \(repeated)",
            "device      expected  received  lost  doubled  misrouted  out of order",
        ]
        for account in accounts {
            let numbers = [
                (account.expected.count, 8), (account.received.count, 10), (account.lost, 6),
                (account.doubled, 9), (account.misrouted, 11), (account.outOfOrder, 14),
            ]
            let columns = numbers.map { number, width in
                String(repeating: " ", count: max(1, width - "\(number)".count)) + "\(number)"
            }
            let name = account.name.padding(toLength: 12, withPad: " ", startingAt: 0)
            lines.append(name + columns.joined())
        }
        return lines.joined(separator: "\n")
    }
}
