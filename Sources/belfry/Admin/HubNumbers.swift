/// The hubs of a server with their numbers, as the server tells them.
struct HubNumbers: Decodable {
    static let path = "$belfry/hubs"

    struct Hub: Decodable {
        struct Numbers: Decodable {
            var connected: Int
            var devices: Int
            var logBytes: Int
            var logHead: Int
            var registrations: Int
        }

        var name: String
        /// Absent when the hub did not answer.
        var numbers: Numbers?
    }

    var hubs: [Hub]
}
