/// The outcome of a try to sign in.
package enum SignInOutcome: Sendable {
    /// A session has begun; its cookie is told here alone.
    case signedIn(ConsoleSession, cookie: String)
    /// The code is unknown, was used, or is too old; so many such tries came in this hour.
    case refused(ofHour: Int)
    /// The same, behind too many such tries in the last minute.
    case tooMany(ofHour: Int)
}
