import Foundation
import HubSender

/// The users of a backend's folder, for commands; a running backend may have it open too.
package struct BackendUsers: Sendable {
    private let store: BackendStore
    private let options: BackendOptions

    /// Opens the folder, and makes it when it is missing.
    /// - Throws: `BackendError`.
    package init(_ options: BackendOptions) throws(BackendError) {
        try BackendFolder.make(options.data)
        self.options = options
        store = try BackendStore(path: options.databaseFile)
        try Self.protect(options)
    }

    /// Lets go of the folder.
    package func close() { store.close() }

    /// Files of the engine get the rights of the first, which the process's mask decides.
    static func protect(_ options: BackendOptions) throws(BackendError) {
        for suffix in ["", "-wal", "-shm"] {
            let path = options.databaseFile + suffix
            guard FileManager.default.fileExists(atPath: path) else { continue }
            do {
                try FileManager.default.setAttributes(
                    [.posixPermissions: 0o600],
                    ofItemAtPath: path
                )
            } catch {
                throw .folder(path: path, reason: error.localizedDescription)
            }
        }
    }

    /// Adds a user.
    /// - Throws: `BackendError`.
    package func add(_ name: String, password: [UInt8]) throws(BackendError) {
        let user = try UserName(name, limits: options.limits.users)
        let hash = try hash(password)
        let now = Int64(Date.now.timeIntervalSince1970)
        let most = options.limits.users.countMax
        try accessing { try store.users.add(user, hash: hash, usersMax: most, now: now) }
    }

    /// Gives a user another password, and logs all their devices out: a user who changes it may
    /// have lost one.
    ///
    /// - Throws: `.stillDelivering` when the password is changed but the hub was away; a running
    ///   backend deletes the registrations as soon as it is back.
    package func setPassword(of name: String, _ password: [UInt8]) async throws(BackendError) {
        let user = try UserName(name, limits: options.limits.users)
        let hash = try hash(password)
        try accessing { try store.users.setPassword(of: user, hash) }
        do {
            try await carryOutDepartures()
        } catch {
            throw .stillDelivering(name: user.text, reason: "\(error)")
        }
    }

    /// All users, by name.
    /// - Throws: `BackendError`.
    package func list() throws(BackendError) -> [BackendUser] {
        try accessing { try store.users.all() }
    }

    /// Removes a user, and their registrations at the hub.
    ///
    /// - Throws: `.stillRegistered` when the user is gone but the hub was away; a running backend
    ///   deletes the registrations as soon as it is back.
    package func remove(_ name: String) async throws(BackendError) {
        let user = try UserName(name, limits: options.limits.users)
        try accessing { try store.users.remove(user) }
        do {
            try await carryOutDepartures()
        } catch {
            throw .stillRegistered(name: user.text, reason: "\(error)")
        }
    }

    /// Tells the hub what is noted of users who left.
    private func carryOutDepartures() async throws {
        let now = Int64(Date.now.timeIntervalSince1970)
        guard try await HubDeletions(store: store).areDue(now: now) else { return }
        let file = try ConnectionFile(dataFolder: options.hubData)
        let sender = try SenderClient(file, retries: BackendServer.retries(options.limits))
        let outcome: Result<Void, any Error>
        do {
            try await HubDeletions(store: store).carryOut(
                with: sender.until(options.limits.hub.deadline)
            )
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        await sender.close()
        try outcome.get()
    }

    private func hash(_ password: [UInt8]) throws(BackendError) -> PasswordHash {
        let limits = options.limits.users
        guard password.count >= limits.passwordBytesMin else {
            throw .password(reason: "must have \(limits.passwordBytesMin) bytes at least")
        }
        guard password.count <= limits.passwordBytesMax else {
            throw .password(reason: "may have \(limits.passwordBytesMax) bytes")
        }
        return try PasswordHash(password, cost: limits.passwordCost)
    }

    private func accessing<Value>(_ body: () throws -> Value) throws(BackendError) -> Value {
        do {
            return try body()
        } catch let error as BackendError {
            throw error
        } catch {
            throw .database(reason: "\(error)")
        }
    }
}
