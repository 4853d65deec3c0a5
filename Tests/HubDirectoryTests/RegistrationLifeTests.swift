import HubDirectory
@testable import HubHarness
import HubModel
import HubQuestions
import HubRules
import HubVocabulary
import Testing

@Suite("The life of registrations")
struct RegistrationLifeTests {
    @Test(
        "is a duration as clients write it, and comes back in the shortest form",
        arguments: [
            ("P90D", 7_776_000, "P90D"), ("P1D", 86_400, "P1D"), ("PT24H", 86_400, "P1D"),
            ("PT86400.5S", 86_400, "P1D"), ("P2DT3H4M5.000S", 183_845, "P2DT3H4M5S"),
            ("P1DT30M", 88_200, "P1DT30M"),
        ] as [(String, UInt64, String)]
    )
    func read(_ text: String, _ seconds: UInt64, _ written: String) throws {
        let life = try RegistrationLife(text: text)
        #expect(life == .seconds(seconds))
        #expect(life.text == written)
    }

    @Test(
        "of the longest span has no end",
        arguments: ["P10675199DT2H48M5.4775807S", "P99999999D"]
    )
    func unlimited(_ text: String) throws {
        let life = try RegistrationLife(text: text)
        #expect(life == .unlimited && life.seconds == nil)
        #expect(life.text == "P10675199DT2H48M5.4775807S")
    }

    @Test(
        "is refused when it is none, or shorter than a day",
        arguments: [
            "", "P", "PT", "90", "P90", "PD", "P1H", "P1DT", "P1DT1D", "PT1S2M", "P-1D", "P1.5D",
            "P0D", "PT86399S", "PT23H59M", "P1Y", "p1d", "P1D ", "P99999999999999999999D",
            "PT1.S5M",
        ]
    )
    func refused(_ text: String) {
        #expect(throws: Refusal.self) { try RegistrationLife(text: text) }
    }

    @Test("ends so long after the last write over REST, for no installation and no device's own")
    func applied() throws {
        let harness = try DirectoryHarness()
        let before = try harness.create(Given.content())
        #expect(before.expires == nil)
        harness.directory.registrationLifeSeconds = 86_400
        let made = try harness.create(Given.content())
        #expect(made.expires == harness.now.time.adding(seconds: 86_400))
        #expect(made.created == harness.now.time && made.modified == harness.now.time)
        harness.pass(milliseconds: 80_000_000)
        let again = try harness.put(made.id, Given.content())
        #expect(again.expires == harness.now.time.adding(seconds: 86_400))
        #expect(again.created == made.created && again.modified == harness.now.time)
        harness.pass(milliseconds: 86_399_999)
        harness.tick()
        #expect(try harness.get(made.id).version == 2)
        harness.pass(milliseconds: 1)
        harness.tick()
        #expect(try harness.refusal(GetRegistration(id: made.id)) == .registrationNotFound)
        #expect(try harness.get(before.id).expires == nil)
        let reopened = try harness.reopened()
        #expect(try reopened.get(before.id).created == before.created)
    }
}
