import Foundation
import HubClient
import HubWire
import Testing

@testable import DeviceEmulator

@Suite("Lines of a device")
struct DeviceLineTests {
    @Test(
        "are flat JSON objects that lack what is not known, and are read again to the same",
        arguments: [
            (
                .connected(
                    DeviceLine.Connected(outcome: "fresh", seq: 7, device: "d", handle: nil)
                ),
                #"{"device":"d","event":"connected","outcome":"fresh","seq":7}"#
            ),
            (
                .registered(
                    DeviceLine.Registered(
                        registration: 0,
                        platform: "apple",
                        tags: ["World"],
                        template: false,
                        unchanged: true
                    )
                ),
                #"{"event":"registered","platform":"apple","registration":0,"tags":["World"],"#
                    + #""template":false,"unchanged":true}"#
            ),
            (
                .gap(DeviceLine.Gap(reason: "purged", lost: nil, seq: 9)),
                #"{"event":"gap","reason":"purged","seq":9}"#
            ),
            (
                .disconnected(
                    DeviceLine.Disconnected(reason: "hub going away", retryInMilliseconds: 250)
                ),
                #"{"event":"disconnected","reason":"hub going away","retryInMilliseconds":250}"#
            ),
            (.error(message: "a/b"), #"{"event":"error","message":"a/b"}"#),
        ] as [(DeviceLine, String)]
    )
    func json(_ line: DeviceLine, _ json: String) throws {
        #expect(line.json == json)
        #expect(try JSONDecoder().decode(DeviceLine.self, from: Data(json.utf8)) == line)
    }

    @Test("what people read names the device and the time of the next try")
    func text() {
        let opening = DeviceLine.Connected(outcome: "fresh", seq: 7, device: "d-1", handle: "abc")
        #expect(
            DeviceLine.connected(opening).text
                == "connected as d-1\npush handle abc"
        )
        for (milliseconds, time) in [(0, "0.0 s"), (1_290, "1.2 s"), (12_400, "12 s")] {
            let line = DeviceLine.Disconnected(
                reason: "lost",
                retryInMilliseconds: UInt64(milliseconds)
            )
            #expect(DeviceLine.disconnected(line).text == "disconnected: lost, next try in \(time)")
        }
        let gone = DeviceLine.Disconnected(reason: "lost", retryInMilliseconds: nil)
        #expect(DeviceLine.disconnected(gone).text == "disconnected: lost, staying away")
    }

    @Test("a notification that is not text is base64")
    func base64() throws {
        var notification = ReceivedNotification(
            id: NotificationIdentifier(high: 1, low: 2),
            sequence: 3,
            slot: 4,
            payloadBytes: 2,
            wireBytes: 2,
            receivedAtMilliseconds: 1_777_885_923_123
        )
        notification.payload = [0xFF, 0xFE]
        let line = try #require(DeviceLine(.notification(notification)))
        guard case .notification(let shown) = line else {
            Issue.record("\(line)")
            return
        }
        #expect(shown.payload == nil && shown.payloadBase64 == "//4=")
        #expect(shown.receivedAt == "2026-05-04T09:12:03.123Z")
        #expect(line.text.hasSuffix("to its handle  //4="), "\(line.text)")
        #expect(try JSONDecoder().decode(DeviceLine.self, from: Data(line.json.utf8)) == line)
    }
}
