import HubModel
import HubVocabulary

/// Whom an expression or a send means.
struct AudienceReport: Encodable {
    struct Share: Encodable {
        var kind: String
        var platform: String
        var registrations: Int
    }

    var platforms: [Share]
    var registrations: Int
    var sample: [RegistrationReport]
    var withoutDevice: Int

    init(_ audience: InspectedAudience, sample: [RegistrationReport]) {
        platforms = audience.shares.map { share in
            Share(
                kind: share.isTemplate ? "template" : "native",
                platform: share.platform.format,
                registrations: share.registrations
            )
        }
        registrations = audience.registrations
        withoutDevice = audience.withoutDevice
        self.sample = sample
    }
}
