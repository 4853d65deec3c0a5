/// The cost of a password hash: scrypt's parameters.
package struct PasswordCost: Equatable, Sendable {
    /// The logarithm of scrypt's N, which decides memory and time.
    package var logRounds: Int
    /// scrypt's r.
    package var blockSize: Int
    /// scrypt's p.
    package var parallelism: Int

    /// A cost of its parts.
    package init(logRounds: Int, blockSize: Int, parallelism: Int) {
        self.logRounds = logRounds
        self.blockSize = blockSize
        self.parallelism = parallelism
    }

    /// 16 MB and five passes over them.
    package static let standard = PasswordCost(logRounds: 14, blockSize: 8, parallelism: 5)
}
