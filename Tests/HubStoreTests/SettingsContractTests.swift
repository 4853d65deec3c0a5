import HubModel
import HubStore
import Testing

@Suite("Every store keeps what operators decided")
struct SettingsContractTests {
    private func some(_ cap: UInt32, purged: UInt64 = 0) -> HubSettings {
        HubSettings(
            timeToLiveDefaultSeconds: 60,
            retentionSeconds: 3_600,
            deviceCap: cap,
            purgedThrough: purged
        )
    }

    @Test("the last decision holds, also after opening again", arguments: StoreKind.allCases)
    func comeBack(kind: StoreKind) throws {
        let fixture = StoreFixture(kind)
        var store = try fixture.reopen()
        #expect(try store.settings() == nil)
        for (cap, purged) in [(5, 0), (7, .max)] as [(UInt32, UInt64)] {
            let result = store.commit(
                changes: [.putSettings(some(cap, purged: purged)), .put(Sample.registration(cap))],
                records: []
            )
            #expect(result.changes == nil)
            #expect(try store.settings() == some(cap, purged: purged))
            store = try fixture.reopen()
            #expect(try store.settings() == some(cap, purged: purged))
        }
    }
}
