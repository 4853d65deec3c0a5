import DeviceEmulator
import Foundation
import HubClient
import HubWire
import Testing

@Suite("The phone's inbox and subscription")
struct PhoneInboxTests {
    private static func entry(_ notification: String, slot: UInt16 = 0) -> InboxEntry {
        InboxEntry(notification: notification, slot: slot, text: "text", receivedAt: 0)
    }

    @Test("numbers ascend, and a notification is known by its id and registration")
    func numbers() {
        var inbox = PhoneInbox()
        #expect(inbox.add(Self.entry("a")).added.number == 1)
        #expect(inbox.add(Self.entry("a", slot: 16)).added.number == 2)
        #expect(inbox.holds("a", slot: 0) && inbox.holds("a", slot: 16))
        #expect(!inbox.holds("a", slot: 1) && !inbox.holds("b", slot: 0))
        inbox[2] = nil
        #expect(inbox[2] == nil && inbox.entries.count == 1)
        #expect(inbox.add(Self.entry("b")).added.number == 3)
    }

    @Test("it keeps as many as it may, and says what had to go")
    func limit() {
        var inbox = PhoneInbox()
        for number in 1...PhoneInbox.entriesMax {
            #expect(inbox.add(Self.entry("\(number)")).gone == [])
        }
        #expect(inbox.entries.count == PhoneInbox.entriesMax)
        let gone = inbox.add(Self.entry("one more")).gone
        #expect(gone.map(\.notification) == ["1"])
        #expect(inbox.entries.count == PhoneInbox.entriesMax)
        // What a device may give again after a kill is always among them.
        #expect(PhoneInbox.entriesMax >= DeviceLoop.untakenMax)
    }

    @Test("registrations that a backend made are personal, the device's own and direct sends not")
    func personal() {
        let slots: [UInt16] = [0, 15, 16, 0xFFFE, 0xFFFF]
        let personal = slots.map { Self.entry("a", slot: $0).isPersonal }
        #expect(personal == [false, false, true, true, false])
    }

    @Test("a file that is no inbox is refused by its name", arguments: ["{}", "x", ""])
    func damaged(_ content: String) throws {
        let path = FileManager.default.temporaryDirectory
            .appendingPathComponent("belfry-inbox-\(UUID().uuidString)").path
        try LocalDisk().write(Array(content.utf8), to: path)
        defer { try? FileManager.default.removeItem(atPath: path) }
        var fault: PhoneFault?
        do throws(PhoneFault) {
            _ = try PhoneInbox(path: path)
        } catch {
            fault = error
        }
        #expect(fault == .memory("\(path) cannot be read"))
    }

    @Test("the template of each platform has its form, headers and language")
    func templates() {
        func body(_ platform: Platform, _ locale: String? = nil) -> String {
            let choice = NewsChoice.registration(
                ["World"],
                platform: platform,
                locale: locale,
                body: nil,
                expiry: ""
            )
            return String(decoding: choice.template?.body ?? [], as: UTF8.self)
        }
        #expect(body(.apple) == #"{"aps":{"alert":"$(messageParam)"}}"#)
        #expect(body(.gcm, "fr") == #"{"data":{"message":"$(News_French)"}}"#)
        #expect(body(.windows).hasPrefix("<toast>"))
        let french = NewsChoice.registration(
            ["World"],
            platform: .windows,
            locale: "fr",
            body: nil,
            expiry: "0"
        )
        #expect(french.tags == ["World", "locale:fr"])
        #expect(french.template?.expiry == "0")
        #expect(french.template?.headers.map(\.name) == ["X-WNS-Type"])
        let properties = NewsChoice.properties("World", "hello")
        #expect(properties["messageParam"] == "Breaking World News : hello")
        #expect(properties["News_French"] == "Breaking World News : hello")
    }
}
