import HubClient
import HubSender
import Testing

@Suite("What a sender writes and reads")
struct SenderTextTests {
    @Test("pauses double up to the limit, and a hub that says how long is obeyed")
    func pauses() {
        let policy = RetryPolicy.standard
        let pauses = (1...7).map { policy.pause(after: $0) }
        let milliseconds = [100, 200, 400, 800, 1_600, 2_000, 2_000]
        #expect(pauses == milliseconds.map { .milliseconds($0) })
        #expect(policy.pause(after: 1_000) == .seconds(2))
        #expect(policy.pause(after: 1, asked: 7) == .seconds(7))
        #expect(RetryPolicy.never.patience == .zero)
    }

    @Test(
        "only a hub that is away invites a repeat",
        arguments: [
            (400, false), (401, false), (403, false), (404, false), (409, false), (410, false),
            (413, false), (429, true), (500, false), (502, true), (503, true), (504, true),
        ]
    )
    func repeats(_ status: Int, _ expected: Bool) {
        let refused = RefusedRequest(status: status, code: status, detail: "")
        #expect(SenderError.refused(refused).invitesRepeat == expected)
        #expect(SenderError.unanswered(reason: "").invitesRepeat)
        #expect(!SenderError.answerMalformed(reason: "").invitesRepeat)
    }

    @Test("an alert shows any text on every platform", arguments: Platform.allCases)
    func alerts(_ platform: Platform) {
        for text in ["Hello", "\"<&>'\\", "\u{1F514} \u{E4}\n\r\n\t", "]]>", "$(x)", ""] {
            let payload = PlatformPayload.alert(text, on: platform)
            #expect(AlertText.read(payload) == text, "\(payload)")
        }
    }

    @Test("payloads are those of the platforms' documentation")
    func forms() {
        #expect(PlatformPayload.alert("a", on: .apple) == #"{"aps":{"alert":"a"}}"#)
        #expect(PlatformPayload.alert("a", on: .gcm) == #"{"data":{"message":"a"}}"#)
        #expect(
            PlatformPayload.alert("<", on: .windows)
                == #"<toast><visual><binding template="ToastText01"><text id="1">&lt;</text>"#
                + "</binding></visual></toast>"
        )
        #expect(
            ApplePayload(silent: [("richId", "7"), ("richType", "img")]).json
                == #"{"aps":{"content-available":1,"sound":""},"richId":"7","richType":"img"}"#
        )
    }
}
