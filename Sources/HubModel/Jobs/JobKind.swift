/// The work of a bulk job; raw values are stored.
///
/// Source: REST §13.
package enum JobKind: UInt8, CaseIterable, Sendable {
    /// Writes every registration.
    case exportRegistrations = 1
    /// Makes a registration under a new id of each line.
    case importCreate = 2
    /// Replaces the registrations that lines name.
    case importUpdate = 3
    /// Deletes the registrations that lines name.
    case importDelete = 4
    /// Replaces those that are named and there, makes the others.
    case importUpsert = 5

    /// The word of the API.
    package var word: String {
        switch self {
        case .exportRegistrations: "ExportRegistrations"
        case .importCreate: "ImportCreateRegistrations"
        case .importUpdate: "ImportUpdateRegistrations"
        case .importDelete: "ImportDeleteRegistrations"
        case .importUpsert: "ImportUpsertRegistrations"
        }
    }
}
