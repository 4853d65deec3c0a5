import Foundation
import HubSender

/// Deletes at the hub the registrations of users who were removed or have logged out.
///
/// The transaction that lets a user go notes their registrations. The one that lets a registration
/// be written notes that too. So nothing is forgotten when the hub is away, an answer is lost or
/// the process ends.
struct HubDeletions: Sendable {
    let store: BackendStore

    /// Whether the hub still has to forget anything.
    func areDue(now: Int64) async throws -> Bool {
        try await store.registrations.sweepWrites(now: now)
        let (registrations, users) = try await store.deletions.pending()
        return !registrations.isEmpty || !users.isEmpty
    }

    /// Deletes all that is noted; what could not be deleted stays noted.
    ///
    /// - Throws: `SenderError` of the hub, or an error of the database.
    func carryOut(with hub: SenderClient) async throws {
        try await store.registrations.sweepWrites(now: Int64(Date.now.timeIntervalSince1970))
        let (registrations, users) = try await store.deletions.pending()
        var failures = Failures()
        for id in registrations {
            guard try failures.note(await Self.remove(id, hub)) else { continue }
            try await store.deletions.finish(registration: id)
        }
        for user in users {
            guard try failures.note(await Self.removeAll(of: user, hub)) else { continue }
            try await store.deletions.finish(user: user)
        }
        try failures.report()
    }

    /// Deletes some of the registrations that are noted.
    ///
    /// - Throws: `SenderError` of the hub, or an error of the database.
    func carryOut(_ registrations: [String], with hub: SenderClient) async throws {
        var failures = Failures()
        for id in registrations {
            guard try failures.note(await Self.remove(id, hub)) else { continue }
            try await store.deletions.finish(registration: id)
        }
        try failures.report()
    }

    /// The failures among many deletions.
    ///
    /// A refused deletion does not keep the others waiting. A hub that is away is not asked for the
    /// next.
    private struct Failures {
        private var first: SenderError?

        /// Whether it went well.
        /// - Throws: what the hub says while it is away.
        mutating func note(_ failure: SenderError?) throws(SenderError) -> Bool {
            guard let failure else { return true }
            guard !failure.invitesRepeat else { throw failure }
            first = first ?? failure
            return false
        }

        func report() throws(SenderError) {
            if let first { throw first }
        }
    }

    private static func remove(_ id: String, _ hub: SenderClient) async -> SenderError? {
        do throws(SenderError) {
            try await hub.removeRegistration(id: id)
            return nil
        } catch {
            return error
        }
    }

    private static func removeAll(of user: UserName, _ hub: SenderClient) async -> SenderError? {
        do throws(SenderError) {
            for found in try await hub.registrations(tag: user.tag) {
                try await hub.removeRegistration(id: found.id)
            }
            return nil
        } catch {
            return error
        }
    }
}

extension SenderClient {
    /// Deletes a registration; one that is not there is deleted.
    func removeRegistration(id: String) async throws(SenderError) {
        do throws(SenderError) {
            try await deleteRegistration(id: id)
        } catch .refused(let refused) where refused.status == 404 {
            return
        }
    }
}
