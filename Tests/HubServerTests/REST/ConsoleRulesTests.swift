import HubConsole
import HubREST
import HubRules
import HubTestSupport
import HubVocabulary
import Testing

@testable import HubServer

@Suite("Access rules that make codes of the console")
struct ConsoleRulesTests {
    @Test("have Manage: of a hub that is there for it alone, of the namespace for both")
    func rules() async throws {
        let hub = try await RunningHub()
        let root = AccessRule.rootName
        let console = ConsoleWiring.configuration(
            hub.server.roster,
            file: hub.place.file(ConsoleWiring.fileName),
            options: RESTOptions(),
            names: [],
            rest: RESTConfiguration(externalHost: "localhost")
        )
        for (name, rule, isTaken) in [
            (nil, root, true), ("hub", AccessRule.fullName, true), ("hub", root, true),
            ("hub", AccessRule.sendName, false), ("hub", AccessRule.listenName, false),
            (nil, AccessRule.fullName, false), ("nowhere", root, false),
        ] {
            let asked = ConsoleCodeRequest(
                purpose: .signIn(.viewer, hours: 1),
                hub: try name.map { try #require(HubName($0)) },
                rule: rule,
                name: "alice"
            )
            do throws(Refusal) {
                let code = try console.signIns.code(asked).text
                let outcome = console.signIns.signIn(code: code, from: nil, relay: nil)
                guard case .signedIn(let session, _) = outcome else {
                    Issue.record("the code of \(rule) is refused")
                    continue
                }
                #expect(isTaken && session.hub == name, "\(rule) of \(name ?? "all")")
            } catch {
                #expect(!isTaken && error == .missingRight(.manage), "\(rule): \(error)")
            }
        }
        try await hub.stop()
    }
}
