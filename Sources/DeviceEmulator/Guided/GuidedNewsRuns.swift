import Foundation
import HubClient

// The next steps of the breaking news: languages and places.
extension GuidedRuns {
    /// Localized breaking news: one template for each language, categories and languages as tags.
    static func localized(_ stage: GuidedStage) async throws {
        func template(_ language: String) -> String {
            "{\"aps\":{\"alert\":\"$(News_\(language))\"}}"
        }
        stage.say("Four phones subscribe, each with a template in its language")
        let english = try await stage.subscribed(
            "Mara",
            platform: "apple",
            tags: ["World", "locale:en"],
            template: template("English")
        )
        let french = try await stage.subscribed(
            "Chloe",
            platform: "apple",
            tags: ["World", "Sports", "locale:fr"],
            template: template("French")
        )
        let mandarin = try await stage.subscribed(
            "Wei",
            platform: "gcm",
            tags: ["World", "locale:zh"],
            template: "{\"data\":{\"message\":\"$(News_Mandarin)\"}}"
        )
        let sports = try await stage.subscribed(
            "Ben",
            platform: "apple",
            tags: ["Sports", "locale:en"],
            template: template("English")
        )

        stage.say("One send to World has the text in every language")
        let texts = [
            "News_English": "World news in English!", "News_French": "Le monde en bref !",
            "News_Mandarin": "\u{4E16}\u{754C}\u{65B0}\u{95FB}",
        ]
        try await stage.send(texts, to: "World")
        for (phone, expected) in [
            (english, texts["News_English"]), (french, texts["News_French"]),
            (mandarin, texts["News_Mandarin"]),
        ] {
            let push = try await stage.arrived(1, on: phone)
            let text = push.payload.flatMap(AlertText.read)
            stage.check("\(phone.name) reads: \(text ?? "nothing")", text == expected)
        }

        try await sportsAlone(french, sports, stage)
        let counts = [english, french, mandarin].map(\.pushes.count)
        stage.check("the others have \(counts) notifications", counts == [1, 2, 1])
    }

    private static func sportsAlone(
        _ french: ChildPhone,
        _ sports: ChildPhone,
        _ stage: GuidedStage
    ) async throws {
        stage.say("Sports in French alone: category and language in one expression")
        try await stage.send(["News_French": "But !"], to: "Sports && locale:fr")
        let goal = try await stage.arrived(2, on: french)
        stage.check(
            "Chloe reads: But !",
            goal.payload.flatMap(AlertText.read) == "But !"
        )

        stage.say("Sports for all other phones")
        try await stage.send(["News_English": "Goal!"], to: "Sports && !locale:fr")
        let last = try await stage.arrived(1, on: sports)
        stage.check(
            "Ben reads: Goal! and nothing before it",
            last.payload.flatMap(AlertText.read) == "Goal!" && sports.pushes.count == 1
        )
    }

    /// Nearby: places as tags, and a phone that moves.
    static func nearby(_ stage: GuidedStage) async throws {
        let template = "{\"aps\":{\"alert\":\"$(messageParam)\"}}"
        stage.say("Three phones subscribe to the places where they are")
        func phone(_ name: String, _ tags: [String]) async throws -> ChildPhone {
            try await stage.subscribed(name, platform: "apple", tags: tags, template: template)
        }
        let mara = try await phone("Mara", ["place:harbour", "place:city"])
        let ben = try await phone("Ben", ["place:station", "place:city"])
        let farid = try await phone("Farid", ["place:airport"])

        stage.say("A send to the harbour")
        try await stage.send(["messageParam": "The ferry leaves"], to: "place:harbour")
        let ferry = try await stage.arrived(1, on: mara)
        stage.check("Mara gets it", ferry.payload?.contains("The ferry leaves") == true)

        stage.say("Mara goes to the station; the harbour is not hers any more")
        try await stage.subscribe(
            mara,
            tags: ["place:station", "place:city"],
            template: template
        )
        try await stage.send(["messageParam": "The harbour closes"], to: "place:harbour")
        try await stage.send(["messageParam": "The train is late"], to: "place:station")
        for (phone, count) in [(mara, 2), (ben, 1)] {
            let push = try await stage.arrived(count, on: phone)
            stage.check(
                "\(phone.name) hears of the train",
                push.payload?.contains("The train is late") == true
            )
        }

        stage.say("The whole city but the harbour, and the airport")
        try await stage.send(
            ["messageParam": "Rain until noon"],
            to: "(place:city && !place:harbour) || place:airport"
        )
        for (phone, count) in [(mara, 3), (ben, 2), (farid, 1)] {
            let push = try await stage.arrived(count, on: phone)
            stage.check(
                "\(phone.name) hears of the rain",
                push.payload?.contains("Rain until noon") == true
            )
        }
        let counts = [mara, ben, farid].map(\.pushes.count)
        stage.check("they have \(counts) notifications", counts == [3, 2, 1])
    }
}
