import HubClient
import HubSender

// One send over our own link and through push services, which fakes play.
extension GuidedRuns {
    private static let text = "World news: one send for all of you"

    /// Relay: one send reaches our own device, an APNs token, an FCM token and a browser.
    static func relay(_ stage: GuidedStage) async throws {
        stage.say("Fakes play three push services; the hub gets a credential for each")
        for fake in stage.fakes {
            stage.check(
                "the hub takes the credential for \(fake.service.name)",
                try stage.setCredential(of: fake)
            )
        }

        stage.say("A phone on Belfry's own link subscribes, and a device of each service")
        let phone = try await stage.subscribed(
            "Mara",
            platform: "apple",
            tags: ["World"],
            template: PlatformPayload.alert("$(messageParam)", on: .apple)
        )
        let sender = try stage.sender()
        do throws(SenderError) { try await install(stage, RelayAdministration(sender)) } catch {
            await sender.close()
            throw error
        }
        await sender.close()
        stage.showHubRequests()

        stage.say("One send to World")
        try await stage.send(["messageParam": text], to: "World")
        let push = await stage.arrival(of: PlatformPayload.alert(text, on: .apple), on: phone)
        stage.check(
            "Mara reads: \(push?.payload.flatMap(AlertText.read) ?? "nothing")",
            push != nil
        )
        for fake in stage.fakes {
            let message = await stage.message(holding: text, at: fake)
            stage.check(
                "\(fake.service.name) got it for \(message?.handle.prefix(12) ?? "nobody")…",
                message?.status.map { (200...201).contains($0) } == true
            )
        }
        stage.say("No service saw the handle of Mara's phone")
        for fake in stage.fakes {
            stage.check(
                "\(fake.service.name) got one message",
                fake.messages(holding: text).count == 1
            )
        }
    }

    private static func install(
        _ stage: GuidedStage,
        _ hub: RelayAdministration
    ) async throws(SenderError) {
        for fake in stage.fakes {
            let platform = fake.service.platform
            let template = PlatformPayload.json(
                PlatformPayload.alert("$(messageParam)", on: platform)
            )
            let channel: String
            do throws(ChildFault) { channel = try fake.channel() } catch {
                throw .answerMalformed(reason: "\(error)")
            }
            try await hub.install(
                "demo-\(fake.service.rawValue)",
                json: """
                    {"installationId":"demo-\(fake.service.rawValue)",\
                    "platform":"\(fake.service == .apns ? "apns" : platform.format)",\
                    "pushChannel":\(channel),"tags":["World"],\
                    "templates":{"news":{"body":\(template)}}}
                    """
            )
        }
    }
}
