import HubClient

/// Deletes at the hub what belongs to users who were removed or have logged out.
///
/// What is to be deleted is noted in the transaction that lets the user go, so nothing is forgotten
/// when the hub is away or the process ends.
struct Departures: Sendable {
    let store: BackendStore
    let sender: SenderClient

    /// Deletes all that is noted; what could not be deleted stays noted.
    ///
    /// - Throws: `SenderError` of the hub, or an error of the database.
    func carryOut() async throws {
        let (registrations, users) = try await store.departures()
        for id in registrations {
            try await delete(id)
            try await store.departed(registration: id)
        }
        for user in users {
            for found in try await sender.registrations(tag: user.tag) {
                try await delete(found.id)
            }
            try await store.departed(user: user)
        }
    }

    /// Deletes a registration at the hub; one that is not there is deleted.
    func delete(_ id: String) async throws {
        do throws(SenderError) {
            try await sender.deleteRegistration(id: id)
        } catch .refused(let refused) where refused.status == 404 {
            return
        }
    }
}
