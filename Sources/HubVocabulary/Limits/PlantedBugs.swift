/// Which mistake is made; none but in debug builds.
package struct PlantedBugs: Equatable, Sendable {
    #if PLANTED_BUGS
        /// Whether mistakes can be planted in this build.
        package static let areAvailable = true
        private let bug: PlantedBug?

        /// One mistake, or none.
        package init(_ bug: PlantedBug? = nil) { self.bug = bug }

        /// Whether this mistake is made.
        package func has(_ candidate: PlantedBug) -> Bool { bug == candidate }
    #else
        /// Whether mistakes can be planted in this build.
        package static let areAvailable = false

        /// None, whatever is asked for.
        package init(_ bug: PlantedBug? = nil) {}

        /// Whether this mistake is made.
        @inlinable
        package func has(_ candidate: PlantedBug) -> Bool { false }
    #endif
}
