package import HubVocabulary

/// Makes the codes with which operators sign in to the console and confirm what destroys.
package protocol ConsoleCodes: Sendable {
    /// Makes a code that works once.
    ///
    /// - Throws: `.tooMany` while too many codes of the rule wait, `.invalid` for a name that is too
    ///   long, `.missingRight` when the rule has lost Manage in between.
    func code(_ asked: ConsoleCodeRequest) throws(Refusal) -> ConsoleCode
}
