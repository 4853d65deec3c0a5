import HubAtom
import HubDirectory
import HubModel
import HubRules
import HubVocabulary

/// One line of the files of bulk jobs: a registration description outside an entry.
///
/// Source: REST §13.
enum RegistrationLine {
    /// Returns the change that carries out a line of an import.
    ///
    /// The members `RegistrationId` and `ETag` say which registration is meant, and in which
    /// version; a create passes them over.
    ///
    /// - Throws: `.invalid` naming what is wrong with the line.
    static func change(
        of line: [UInt8],
        as kind: JobKind,
        grant: AccessGrant,
        limits: CoreLimits
    ) throws(Refusal) -> ImportLine {
        let description = try XMLInput.parse(line)
        let members = try XMLMembers(description)
        let id = members.trimmed("RegistrationId")
        let condition = WriteCondition(ifMatch: members.trimmed("ETag"), absent: .exists)
        func content() throws(Refusal) -> RegistrationContent {
            try RegistrationReader.read(description, limits: limits).validated(limits: limits)
        }
        switch kind {
        case .importCreate: return .create(CreateRegistration(try content(), grant))
        case .importUpsert:
            guard !id.isEmpty else {
                return .create(CreateRegistration(try content(), grant))
            }
            return .put(PutRegistration(id: id, try content(), .none, grant))
        case .importUpdate:
            return .put(PutRegistration(id: try named(id), try content(), condition, grant))
        case .importDelete: return .delete(DeleteRegistration(id: try named(id), condition, grant))
        case .exportRegistrations: preconditionFailure("an export reads no lines")
        }
    }

    /// The line of a registration, without a line end.
    static func text(_ registration: Registration) -> [UInt8] {
        RegistrationWriter.line(registration)
    }

    private static func named(_ id: [UInt8]) throws(Refusal) -> [UInt8] {
        guard !id.isEmpty else { throw .invalid(field: "RegistrationId", reason: "is missing.") }
        return id
    }
}
