/// The outcome of a confirmation.
enum ConfirmationOutcome {
    /// The session is fresh for some minutes.
    case confirmed
    /// The digits are wrong, and so many more may be tried.
    case wrong(left: Int)
    /// The session has ended, after too many wrong ones or before.
    case ended
}
