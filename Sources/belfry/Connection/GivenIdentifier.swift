import ArgumentParser
import HubVocabulary
import PhoneScreen

/// Checks of identifiers that people paste, before a hub is asked.
enum GivenIdentifier {
    private static let idDigits = 32
    private static let handleDigits = 64

    /// Refuses what is neither a device's id nor a push handle.
    static func checkDevice(_ text: String) throws {
        let digits = text.filter { $0 != "-" }
        guard [idDigits, handleDigits].contains(digits.count), isHex(digits) else {
            throw ValidationError(
                "'\(SafeText.line(text))' is no device id (\(idDigits) hex digits) and no push "
                    + "handle (\(handleDigits)); 'belfry device' prints its id."
            )
        }
    }

    /// Refuses what does not begin as a notification's id.
    static func checkNotification(_ text: String) throws {
        let digits = text.filter { $0 != "-" }
        guard digits.count >= idDigits, isHex(digits) else {
            throw ValidationError(
                "'\(SafeText.line(text))' is no notification id; 'belfry send' prints one."
            )
        }
    }

    /// Refuses what is no id of a scheduled notification.
    static func checkSchedule(_ text: String) throws {
        guard text.count == idDigits, isHex(text) else {
            throw ValidationError(
                "'\(SafeText.line(text))' is no id of a scheduled notification (\(idDigits) hex "
                    + "digits); 'belfry schedule list' prints them."
            )
        }
    }

    /// Refuses a name that no hub can have.
    static func checkHub(_ text: String) throws {
        guard HubName(text) != nil else {
            throw ValidationError(
                "'\(SafeText.line(text))' is no name of a hub: 1 to \(HubName.bytesMax) letters, "
                    + "digits, '.', '_' and '-'."
            )
        }
    }

    private static func isHex(_ text: String) -> Bool {
        text.utf8.allSatisfy { HexText.digit($0) != nil }
    }
}
