import ArgumentParser
import HubRelay
import HubVocabulary

/// The word for a service in `belfry relay`; any word is read, so that a wrong one gets a sentence.
struct RelayService: ExpressibleByArgument, CustomStringConvertible {
    private static let all: [CredentialService] = [.apns, .fcm, .browser, .wns]
    static let allValueStrings = all.map(\.rawValue)

    let description: String

    init(argument: String) { description = argument }

    /// Returns the format of the service's platform, as the REST API names it.
    ///
    /// - Throws: when Belfry relays to no service with the word.
    func format() throws -> String {
        guard let service = Self.all.first(where: { $0.rawValue == description }) else {
            throw ValidationError(
                "\(description): Belfry relays to apns, fcm, browser and wns alone."
            )
        }
        return service.kind.platform.format
    }
}
