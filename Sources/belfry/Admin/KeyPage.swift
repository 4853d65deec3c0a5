import Foundation

/// The access rules of a hub with the age and last use of their keys, as the hub tells them.
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

    /// The path below a hub.
    static let path = "$belfry/keys"

    var rules: [Rule]
}
