/// Limits of questions that look at many registrations, records or handles.
package struct InspectionLimits: Equatable, Sendable {
    /// Parts that one page of a filtered list of notifications asks for; it may be short then.
    package static let listedPartsMax = 200
    /// So long after its first part a page of a filtered list of devices asks for no other one; it
    /// may be short.
    package static let devicesPageTime: Duration = .milliseconds(25)

    /// Registrations, or numbers of tags, that one part of an inspection looks at: a few
    /// milliseconds of the hub's writer.
    package var inspectedPerPart = 10_000
    /// Devices that one part of a list looks at where none is left out: less than a millisecond of the
    /// hub's writer.
    package var devicesPerPart = 100_000
    /// Notifications that one part of the list of notifications reads.
    package var listedPerPart = 50
    /// Tags of one page of the list of tags.
    package var pageTagsMax = 1_000
    /// Registrations of a sample.
    package var sampleMax = 100
    /// Records that an explanation looks at to find the one that replaced another.
    package var explainedRecordsMax = 1_024
    /// Places in lists that it compares to find these.
    package var explainedPlacesMax = 262_144
    /// Registrations or handles that one part of a search for failed deliveries looks at closely.
    package var failuresPerPart = 100
    /// Those that a whole search looks at closely; it says when that was not enough.
    package var failuresExaminedMax = 20_000
    /// Failed deliveries that a whole search tells; it says when there may be more.
    package var failureLinesMax = 10_000
    /// Registrations that are looked at to estimate how many a notification matches.
    package var matchSampleMax = 20_000
    /// Registrations of the sample, at most, that are read because their tags have changed since the
    /// notification.
    package var matchReadsMax = 500

    /// The defaults.
    package init() {}
}
