/// How content is fetched that notifications name.
package enum FetchLimits {
    /// Notifications whose content is fetched, or has been and waits for its turn, at most.
    package static let countMax = 4
    /// Seconds for the content of a notification; after them its fetch has failed.
    package static let seconds: Int64 = 30

    /// Seconds after which a notification that could not be kept is tried again.
    static let keepAgainSeconds: Int64 = 5
    /// Seconds after which a backend that has no room for content at the moment is asked again.
    static let askAgainSeconds: Int64 = 5
    /// Questions for the same content at most.
    static let asksMax = 3
}
