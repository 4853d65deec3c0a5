/// The hubs of a server with their numbers, as the server tells them.
package struct HubNumbers: Decodable, Sendable {
    /// One hub.
    package struct Hub: Decodable, Sendable {
        /// Its numbers at the moment of the question.
        package struct Numbers: Decodable, Sendable {
            /// Devices with a session.
            package var connected: Int
            /// Devices that registered or acknowledged something.
            package var devices: Int
            /// Bytes of its log.
            package var logBytes: Int
            /// The number of its last notification.
            package var logHead: Int
            /// Registrations that it has.
            package var registrations: Int
            /// Registrations whose template no longer compiles.
            package var undeliverable: Int
            /// Requests that wait for its writer.
            package var waiting: Int
        }

        /// Its name.
        package var name: String
        /// Absent when the hub did not answer.
        package var numbers: Numbers?
    }

    /// The path below the server.
    package static let path = "$belfry/hubs"

    /// In the order of their names.
    package var hubs: [Hub]
}
