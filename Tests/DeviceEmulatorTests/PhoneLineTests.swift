import DeviceEmulator
import Foundation
import Testing

@Suite("Lines of the phone's app")
struct PhoneLineTests {
    /// One line of each kind, as scripts read and write them.
    private static let lines = [
        #"{"event":"started","tags":[]}"#,
        #"{"event":"started","tags":["World","Sports"],"text":"alice"}"#,
        #"{"event":"connected"}"#,
        #"{"event":"disconnected"}"#,
        #"{"event":"loggedIn","text":"alice"}"#,
        #"{"event":"loggedOut"}"#,
        #"{"event":"loginEnded","text":"alice"}"#,
        #"{"event":"registered","id":"1-2-3","tags":["World"],"text":"Registered successfully!"}"#,
        #"{"event":"registered","tags":[],"text":"Subscribed to nothing."}"#,
        #"{"body":"","bytes":9,"event":"request","headers":["Authorization: Basic …"],"#
            + #""mediaType":"application/json","request":"POST /api/login","status":401,"text":"no"}"#,
        #"{"body":"{}","bytes":0,"event":"request","headers":[],"mediaType":"","#
            + #""request":"GET /api/notifications/1","status":200}"#,
        #"{"event":"push","frame":"0a0b","id":"u","payload":"{}","travelled":["a: b"]}"#,
        #"{"event":"push","id":"u","travelled":[]}"#,
        #"{"event":"fetch","text":"failed"}"#,
        #"{"event":"fetch","text":"noData"}"#,
        #"{"event":"fetch","text":"newData"}"#,
        #"{"bytes":70,"ends":"8950","event":"fetch","id":"7","mediaType":"image/png","#
            + #""text":"newData"}"#,
        #"{"event":"shown","id":"u","isOpened":false,"number":3,"receivedAt":60,"text":"Hi"}"#,
        #"{"buttons":["OK","More"],"event":"shown","id":"u","isOpened":false,"#
            + #""mediaType":"image/png","number":3,"receivedAt":60,"text":"Look"}"#,
        #"{"event":"entry","id":"u","isOpened":true,"number":3,"receivedAt":60,"text":"Hi"}"#,
        #"{"event":"removed","id":"u","isOpened":true,"number":3,"receivedAt":60,"text":"Hi"}"#,
        #"{"event":"opened","id":"u","isOpened":true,"number":3,"receivedAt":60,"text":"Hi"}"#,
        #"{"bytes":70,"ends":"8950","event":"opened","id":"u","isOpened":true,"#
            + #""mediaType":"image/png","number":3,"path":"/phone/content/7.png","#
            + #""receivedAt":60,"text":"Look"}"#,
        #"{"bytes":9,"content":"https://a","ends":"6874","event":"opened","id":"u","#
            + #""isOpened":true,"mediaType":"text/uri-list","number":3,"#
            + #""path":"/phone/content/7.txt","receivedAt":60,"text":"Read"}"#,
        #"{"event":"sent","text":""}"#,
        #"{"event":"sent","text":"Error Status for apns: 404"}"#,
        #"{"event":"gap","lost":3,"text":"expired"}"#,
        #"{"event":"gap","text":"reset"}"#,
        #"{"event":"problem","text":"no connection"}"#,
        #"{"event":"done"}"#,
        #"{"event":"done","text":"log in first"}"#,
    ]

    @Test("a line of each kind is read and written as the same JSON", arguments: lines)
    func json(_ text: String) throws {
        let line = try JSONDecoder().decode(PhoneLine.self, from: Data(text.utf8))
        #expect(line.json == text)
    }

    @Test(
        "what is no line is refused",
        arguments: [#"{"text":"a"}"#, #"{"event":"flown"}"#, "[]"]
    )
    func refused(_ text: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(PhoneLine.self, from: Data(text.utf8))
        }
    }
}
