import HubFront
import HubREST
import Testing

@Suite("Whether a carried request may be repeated")
struct CarryRuleTests {
    private static func rule(
        _ method: String,
        _ target: String,
        isConditional: Bool = false
    ) -> CarryRule {
        CarryRule(
            RouteTable.row(method: method, target: target),
            method: method,
            target: RequestTarget(target),
            isConditional: isConditional
        )
    }

    /// Every operation that is no question, as the table has it.
    private static let decided: [String: CarryRule] = [
        "send": .withKey, "sendDirect": .withKey, "sendBatch": .withKey, "sendLines": .withKey,
        "schedule": .withKey, "previewSend": .always, "putRegistration": .always,
        "putInstallation": .always, "deleteInstallation": .always, "changeSettings": .always,
        "createRegistration": .never, "reserveRegistrationID": .never, "deleteRegistration": .never,
        "patchInstallation": .never, "cancelSchedule": .never, "createJob": .never,
        "putHub": .never, "deleteHub": .never, "renewKey": .never, "revokeDevice": .never,
        "purge": .never, "checkRelay": .never, "skipRelay": .never, "makeConsoleCode": .never,
        "makeConsoleCodeOfHub": .never, "renewNamespaceKey": .never,
    ]

    @Test("is decided for each operation, and a question may always be")
    func everyRow() {
        for row in RouteTable.rows {
            let rule = CarryRule(
                row,
                method: row.method,
                target: RequestTarget("/"),
                isConditional: false
            )
            if ["GET", "HEAD"].contains(row.method) {
                #expect(rule == .always, "\(row.name)")
            } else {
                #expect(rule == Self.decided[row.name], "\(row.name)")
            }
        }
    }

    @Test("a condition holds once, so what has one is not repeated")
    func conditions() {
        #expect(Self.rule("PUT", "/news/registrations/1-2-3") == .always)
        #expect(Self.rule("PUT", "/news/registrations/1-2-3", isConditional: true) == .never)
    }

    @Test("a test is not repeated, nor is what the table does not know")
    func others() {
        #expect(Self.rule("POST", "/news/messages") == .withKey)
        #expect(Self.rule("POST", "/news/messages?test") == .never)
        #expect(Self.rule("POST", "/$belfry/ui/hubs/news/send") == .never)
        #expect(Self.rule("HEAD", "/nowhere/at/all") == .always)
    }
}
