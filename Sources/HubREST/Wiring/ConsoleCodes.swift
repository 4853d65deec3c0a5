package import HubVocabulary

/// Makes the codes with which operators sign in to the console and confirm what destroys.
package protocol ConsoleCodes: Sendable {
    /// Makes a code that works once.
    ///
    /// - Throws: `.tooMany` while too many codes wait, `.invalid` for a name that is too long.
    func code(_ asked: ConsoleCodeRequest) throws(Refusal) -> ConsoleCode
}
