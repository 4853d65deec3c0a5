/// A hub as its rows tell it.
package struct HubFacts: Sendable {
    /// Its name.
    package var name: String
    /// Requests that wait for its writer.
    package var waiting = 0
    /// Registrations whose template compiles no more.
    package var undeliverable = 0
    /// Registrations.
    package var registrations = 0
    /// Devices with a session.
    package var connected = 0
    /// Bytes by which its log grows in a day; nil where too little of the past is known.
    package var logBytesPerDay: Int?
    /// How far those of its devices are behind that are furthest behind.
    package var behind: [Int] = []
    /// Notifications that are kept for one absence of a device.
    package var deviceCap = 0
    /// Its access rules.
    package var rules: [RuleFacts] = []
    /// Its relays to push services.
    package var relays: [RelayFacts] = []

    /// A hub without anything in it.
    package init(name: String) { self.name = name }
}
