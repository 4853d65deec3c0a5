package import HubClient

/// The tutorials' breaking news: six people choose categories, and everyone receives exactly what
/// they chose, in their platform's format.
package enum BreakingNews {
    /// One device of the scenario.
    package struct Person: Equatable, Sendable {
        /// The name of its user.
        package var name: String
        /// The platform of its template.
        package var platform: Platform
        /// The categories that it subscribes to.
        package var subscribes: [String]
        /// The categories that it switches off after the first round.
        package var switchesOff: [String]
        /// Categories that must arrive in the first round.
        package var first: [String]
        /// Categories that must arrive in the second round.
        package var second: [String]

        /// A device with its choices and what must follow from them.
        package init(
            _ name: String,
            _ platform: Platform,
            subscribes: [String],
            switchesOff: [String] = [],
            first: [String],
            second: [String]
        ) {
            self.name = name
            self.platform = platform
            self.subscribes = subscribes
            self.switchesOff = switchesOff
            self.first = first
            self.second = second
        }
    }

    /// The categories of the tutorials, in the order in which they are sent.
    package static let categories = [
        "World", "Politics", "Business", "Technology", "Science", "Sports",
    ]

    /// Who takes part.
    ///
    /// The expected categories are written out, not derived: a wrong tag must be noticed.
    package static let people = [
        Person(
            "Mara",
            .apple,
            subscribes: ["World", "Politics"],
            first: ["World", "Politics"],
            second: ["World", "Politics"]
        ),
        Person(
            "Ben",
            .gcm,
            subscribes: ["World", "Sports"],
            first: ["World", "Sports"],
            second: ["World", "Sports"]
        ),
        Person(
            "Chloe",
            .windows,
            subscribes: ["World", "Technology", "Science"],
            first: ["World", "Technology", "Science"],
            second: ["World", "Technology", "Science"]
        ),
        Person(
            "Dmitri",
            .apple,
            subscribes: ["Business", "Sports"],
            switchesOff: ["Sports"],
            first: ["Business", "Sports"],
            second: ["Business"]
        ),
        Person(
            "Emilia",
            .gcm,
            subscribes: ["Science"],
            first: ["Science"],
            second: ["Science"]
        ),
        Person("Farid", .apple, subscribes: ["Weather"], first: [], second: []),
    ]
}
