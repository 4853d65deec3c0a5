import HubClient
import HubDelivery
import HubMetrics
import HubModel
import HubSender
import HubServer
import HubVocabulary
import Testing

@testable import ScenarioSupport

@Suite("Devices that were away together")
struct ColdCatchUpTests {
    @Test("share what is read from the log and made of it: one parcel for each notification")
    func shareParcels() async throws {
        try await HostedHub.run { options in
            // Everything is read from the store.
            options.devices.sessionLimits.catchUp.recentRecordsMax = 0
        } _: { hub in
            let choice = RegistrationChoice(platform: .apple, tags: ["World"])
            var stores: [any DeviceStore] = []
            for number in 0..<8 {
                let phone = try await Phone.subscribed(hub.connection, name: "\(number)", choice)
                stores.append(phone.store)
                await phone.close()
            }
            await hub.expectNoConnections()
            let sender = try SenderClient(hub.connection)
            let payloads = (0..<5).map { #"{"aps":{"alert":"number \#($0)"}}"# }
            for payload in payloads {
                let body = Array(payload.utf8)
                _ = try await sender.send(.native(.apple, body: body, tags: "World"))
            }
            await sender.close()

            var phones: [Phone] = []
            for (number, store) in stores.enumerated() {
                phones.append(try Phone(hub.connection, name: "\(number)", store: store))
            }
            for phone in phones {
                try await phone.receive(payloads.count)
                #expect(phone.texts == payloads, "phone \(phone.name)")
            }
            let made = await hub.server.reports().reduce(0) { $0 + $1.core.parcelsMade }
            #expect(made == 5)
            let gauges = await hub.server.gauges().map(\.gauges)
            #expect(gauges.map(\.registrations) == [8] && gauges.map(\.devices) == [8])
            #expect(gauges.map(\.sessions) == [8] && gauges.map(\.logHead) == [5])
            for phone in phones { await phone.close() }
        }
    }
}
