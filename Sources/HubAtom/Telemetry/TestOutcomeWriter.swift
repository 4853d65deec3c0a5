package import HubModel
import HubRules
import HubVocabulary

/// Writes the outcome of a test send.
///
/// Source: REST §10.
package enum TestOutcomeWriter {
    /// The document: how many succeeded and failed, then each registration.
    package static func xml(_ outcome: TestOutcome) -> [UInt8] {
        let successes = outcome.results.count(where: \.isSuccess)
        var output = XMLOutput()
        output.markup("<NotificationOutcome xmlns=\"\(XMLNamespace.connect)\"")
        output.markup(" xmlns:i=\"\(XMLNamespace.instance)\"><Success>\(successes)</Success>")
        output.markup("<Failure>\(outcome.results.count - successes)</Failure>")
        if outcome.results.isEmpty {
            output.markup("<Results i:nil=\"true\"/>")
        } else {
            output.markup("<Results>")
            for result in outcome.results { write(result, to: &output) }
            output.markup("</Results>")
        }
        output.markup("</NotificationOutcome>")
        return output.bytes
    }

    private static func write(_ result: TestOutcome.Result, to output: inout XMLOutput) {
        output.markup("<RegistrationResult>")
        output.element("ApplicationPlatform", text: result.platform.format)
        output.element(
            "PnsHandle",
            OwnHandle.spelled(result.handle, platform: result.platform)
        )
        // A strict reader wants the element also where a handle has no registration.
        output.element("RegistrationId", result.registration ?? Array("none".utf8))
        output.element("Outcome", text: result.verdict.text)
        output.markup("</RegistrationResult>")
    }
}
