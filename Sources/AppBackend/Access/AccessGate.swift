import Crypto
import Foundation
import Hummingbird
import Synchronization

/// Says who asks: checks passwords and access tokens, slowly for everybody and never too often.
///
/// Unknown users cost the same time as known ones. A password that was right is remembered for some
/// minutes, as a keyed hash in memory, so that a client that sends it with each request does not
/// cost a slow hash each time; it counts only as long as the stored hash is the same.
final class AccessGate: Sendable {
    private struct Known {
        var hash: String
        var until: Int64
    }

    private let store: BackendStore
    private let limits: BackendLimits
    private let failures: FailureLimiter
    private let known = Mutex<[[UInt8]: Known]>([:])
    private let secret = SymmetricKey(size: .bits256)
    private let nobody: PasswordHash
    private let queue: DispatchQueue
    private let places: DispatchSemaphore
    private let waiting = Mutex(0)

    init(_ store: BackendStore, limits: BackendLimits) throws(BackendError) {
        self.store = store
        self.limits = limits
        failures = FailureLimiter(limits)
        nobody = try PasswordHash(
            (0..<16).map { _ in UInt8.random(in: 0...255) },
            cost: limits.passwordCost
        )
        queue = DispatchQueue(label: "passwords", attributes: .concurrent)
        places = DispatchSemaphore(value: limits.passwordChecksMax)
    }

    /// The user whose credentials a header holds.
    ///
    /// - Throws: `BackendRefusal` 401, or 429 when there were too many failures.
    func user(
        authorization header: String?,
        address: String,
        now: Int64
    ) async throws -> UserName {
        guard let header, let credentials = Credentials(header) else {
            throw BackendRefusal.unauthorized
        }
        switch credentials {
        case .bearer(let token):
            guard let user = try await store.user(accessToken: Self.hash(token), now: now) else {
                throw BackendRefusal.unauthorized
            }
            return user
        case .basic(let name, let password):
            return try await user(name, password, address: address, now: now)
        }
    }

    private func user(
        _ name: String,
        _ password: [UInt8],
        address: String,
        now: Int64
    ) async throws -> UserName {
        // A name that nobody can have is tried like any other, in one entry for all of them.
        let user = try? UserName(name, limits: limits)
        let label = user?.text ?? ""
        if let seconds = failures.secondsToWait(address: address, user: label, now: now) {
            throw BackendRefusal(
                429,
                "too many wrong passwords: try again later",
                headers: [.retryAfter: "\(seconds)"]
            )
        }
        var stored: String?
        if let user { stored = try await store.passwordHash(of: user) }
        if let user, let stored, isKnown(user, password, hash: stored, now: now) { return user }
        let hash = stored.map(PasswordHash.init(stored:)) ?? nobody
        let candidate = password.count <= limits.passwordBytesMax ? password : []
        let isRight = try await check(candidate, against: hash)
        guard let user, let stored, isRight, candidate.count == password.count else {
            failures.failed(address: address, user: label, now: now)
            throw BackendRefusal.unauthorized
        }
        failures.succeeded(address: address, user: label)
        remember(user, password, hash: stored, now: now)
        return user
    }

    /// Runs the slow function off the threads that tasks share, a few at a time.
    private func check(_ password: [UInt8], against hash: PasswordHash) async throws -> Bool {
        let hasPlace = waiting.withLock { waiting in
            guard waiting < limits.passwordChecksMax + limits.passwordChecksWaitingMax else {
                return false
            }
            waiting += 1
            return true
        }
        guard hasPlace else {
            throw BackendRefusal(
                503,
                "too many logins at once: try again",
                headers: [.retryAfter: "1"]
            )
        }
        defer { waiting.withLock { $0 -= 1 } }
        return await withCheckedContinuation { continuation in
            queue.async { [places] in
                places.wait()
                defer { places.signal() }
                continuation.resume(returning: hash.accepts(password))
            }
        }
    }

    private func fingerprint(_ user: UserName, _ password: [UInt8]) -> [UInt8] {
        let text = Array(user.text.utf8) + [0] + password
        return Array(HMAC<SHA256>.authenticationCode(for: text, using: secret))
    }

    private func isKnown(
        _ user: UserName,
        _ password: [UInt8],
        hash: String,
        now: Int64
    ) -> Bool {
        let found = known.withLock { $0[fingerprint(user, password)] }
        guard let found else { return false }
        return found.hash == hash && now < found.until
    }

    private func remember(_ user: UserName, _ password: [UInt8], hash: String, now: Int64) {
        let key = fingerprint(user, password)
        known.withLock { known in
            if known.count >= limits.knownCredentialsMax { known.removeAll() }
            known[key] = Known(hash: hash, until: now + limits.knownCredentialSeconds)
        }
    }

    /// A new access token, for its user only.
    static func newToken() -> String {
        let bytes = (0..<32).map { _ in UInt8.random(in: 0...255) }
        return Data(bytes).base64EncodedString()
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// What is stored of an access token.
    static func hash(_ token: String) -> Data { Data(SHA256.hash(data: Data(token.utf8))) }
}
