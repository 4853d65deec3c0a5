/// Why a bulk job did not go on.
enum JobFailure: Error {
    /// For the caller; holds no query of an address.
    case failed(String)
    /// The hub ends.
    case cancelled
}
