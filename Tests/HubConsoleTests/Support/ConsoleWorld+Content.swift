import HubAtom
import HubDirectory
import HubModel
import HubQuestions
import HubREST
import HubTags
import HubTemplates
import HubVocabulary
import Testing

/// What tests put into the hub.
extension ConsoleWorld {
    private var asking: HubAsking { HubAsking(service: hub, hub: ConsoleHub.news) }
    private var grant: AccessGrant { AccessGrant(rule: "Full", rights: AccessRight.allCases) }

    /// Makes a registration and returns its id.
    @discardableResult
    func register(
        handle: String = String(repeating: "A1", count: 32),
        platform: Platform = .apple,
        tags: [String] = ["World"],
        template: String? = nil
    ) async throws -> String {
        let content = RegistrationContent(
            platform: platform,
            handle: Array(handle.utf8),
            tags: TagSet(tags.map { Array($0.utf8) }),
            template: template.map {
                TemplateDefinition(name: Array("news".utf8), body: Array($0.utf8))
            }
        )
        let made = try await asking.submit(CreateRegistration(content, grant))
        return String(decoding: made.id, as: UTF8.self)
    }

    /// A registration as the hub has it.
    func registration(_ id: String) async throws -> Registration {
        try await asking.submit(GetRegistration(id: Array(id.utf8)))
    }

    /// Sends a notification and returns its address.
    func send(tags: String, body: String) async throws -> String {
        let draft = NotificationDraft(
            format: .native(.apple),
            target: .tags(try TagExpression(parsing: Array(tags.utf8))),
            body: Array(body.utf8),
            timeToLive: .seconds(600)
        )
        let accepted = try await asking.submit(Send(draft))
        return NotificationAddress.text(accepted.id, accepted.sequence)
    }

    /// Makes a send for later and returns its id.
    func schedule() async throws -> String {
        let draft = NotificationDraft(
            format: .native(.apple),
            target: .broadcast,
            body: Array("{}".utf8),
            timeToLive: .seconds(600)
        )
        let due = hub.now.adding(seconds: 3_600)
        return try await asking.submit(ScheduleSend(ScheduleRequest(draft: draft, due: due))).text
    }

    /// A device of a list.
    static func device(_ number: UInt64, behind: UInt64 = 0) -> ListedDevice {
        ListedDevice(
            cursor: StoredCursor(
                device: DeviceID(high: 0x0001_0203_0405_0607, low: number),
                acknowledged: 41,
                scannedThrough: 41,
                lastSeen: ConsoleHub.start
            ),
            isConnected: number % 2 == 0,
            behind: behind,
            keyGeneration: 2,
            registrations: 1
        )
    }
}
