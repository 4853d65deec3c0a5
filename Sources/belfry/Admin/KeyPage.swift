/// Access rules with the age and last use of their keys, as a hub or the server tells them.
struct KeyPage: Decodable {
    struct Rule: Decodable {
        var name: String
        var primaryMade: String
        var primaryUsed: String?
        var rights: [String]
        var secondaryMade: String
        var secondaryUsed: String?
        var usedByDevices: String?
    }

    /// The path below a hub, and below the server.
    static let path = "$belfry/keys"

    var rules: [Rule]
}
