import HubDirectory
@testable import HubHarness
import HubModel
import Testing

@Suite("Registrations that lapse, written again and again")
struct RewrittenExpiryTests {
    /// The most entries that may wait for so many subjects, and the one that was just added.
    private static func bound(_ subjects: Int) -> Int { 2 * subjects + 1_024 + 1 }

    @Test("cost a bounded queue, and lapse at the last of their times and not before")
    func registrations() throws {
        let harness = try DirectoryHarness()
        let session = try harness.attach(Given.phone)
        var mostEntries = 0
        for round in 0..<3_000 {
            harness.forget()
            let content = Given.content(tags: Given.tagSet(round % 4 < 2 ? "a" : "b"))
            let request = DeviceRequest.register(
                slot: UInt16(round % 2),
                content,
                ttlSeconds: 3_600,
                ifETag: 0
            )
            #expect(try harness.request(request, of: session).error == nil)
            harness.pass(milliseconds: 1_000)
            harness.directory.tick(now: harness.now)
            mostEntries = max(mostEntries, harness.directory.gauges.lapses)
        }
        #expect(mostEntries <= Self.bound(2))
        #expect(harness.directory.gauges.registrations == 2)
        for (milliseconds, left) in [(3_597_999, 2), (1, 1), (999, 1), (1, 0)] {
            harness.pass(milliseconds: UInt64(milliseconds))
            harness.directory.tick(now: harness.now)
            harness.run()
            #expect(harness.directory.gauges.registrations == left)
        }
        // Stale entries go too when their time has come, some per turn.
        for _ in 0..<8 { harness.directory.tick(now: harness.now) }
        #expect(harness.directory.gauges.lapses == 0)
    }

    @Test("cost a bounded queue as installations too")
    func installations() throws {
        let harness = try DirectoryHarness()
        var mostEntries = 0
        for round in 0..<1_500 {
            harness.forget()
            let time = #""expirationTime":"2030-01-01T00:00:\#(10 + round % 50)Z""#
            try harness.install(GivenInstallation.apple(time))
            harness.pass(milliseconds: 1_000)
            harness.directory.tick(now: harness.now)
            mostEntries = max(mostEntries, harness.directory.gauges.lapses)
        }
        // The installation and its registration.
        #expect(mostEntries <= 2 * Self.bound(1))
        #expect(harness.directory.gauges.installations == 1)
    }
}
