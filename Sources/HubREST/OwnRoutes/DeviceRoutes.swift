import HubDirectory
import HubModel
import HubQuestions
import HubVocabulary

/// The devices of a hub, for operators: an own addition, under `/{hub}/$belfry/`.
enum DeviceRoutes {
    static let rows = [
        RouteRow(
            "listDevices",
            "GET",
            "/{hub}/$belfry/devices",
            "Lists devices, or those that are furthest behind",
            needs: .manage,
            inputs: [
                .query("prefix", "Only devices whose id begins with these hex digits."),
                .query("state", "Only these.", .words(DeviceFilter.State.allCases.map(\.rawValue))),
                .query("tag", "Only those with a registration that has this tag."),
                .query("user", "Only those of this user; not together with `tag`."),
                .query(
                    "sort",
                    "`behind` shows those with most before them, without a next page.",
                    .words([behindWord])
                ),
                .query("$top", "Devices of a page at most.", .number(1...Int(Int32.max))),
                .query("continuationtoken", "`continuationToken` of the page before."),
            ],
            answers: [
                AnswerNote(
                    200,
                    "A page as the hub keeps them, perhaps short, or the furthest behind first",
                    ContentType.json,
                    schema: "DevicePage"
                )
            ],
            refusals: [400],
            run: list
        ),
        RouteRow(
            "getDevice",
            "GET",
            "/{hub}/$belfry/devices/{device}",
            "Reads a device with its registrations",
            needs: .manage,
            inputs: [
                .path(
                    "device",
                    "Its id, 32 hex digits or as a UUID, or its push handle, 64 digits."
                )
            ],
            answers: [
                AnswerNote(200, "The device", ContentType.json, schema: "DeviceDetails")
            ],
            refusals: [400],
            run: get
        ),
    ]

    private static let behindWord = "behind"

    /// A page of the list.
    private struct Page: Encodable {
        /// Absent on the last page.
        var continuationToken: String?
        var devices: [DeviceReport]
    }

    /// A device with its registrations.
    private struct Details: Encodable {
        var device: DeviceReport
        var registrations: [RegistrationReport]
    }

    // MARK: Lists

    private static func list(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let target = exchange.incoming.target
        _ = try target.top()
        let limit = try exchange.pageLimit()
        let (filter, order, start) = try refusing {
            () throws(Refusal) -> (DeviceFilter, ListDevices.Order, UInt32) in
            (try Self.filter(target), try Self.order(target), try Self.start(target))
        }
        let found = try await exchange.asking.devices(
            filter,
            order: order,
            from: start,
            limit: limit
        )
        return Answer(
            json: Page(
                continuationToken: found.next.map { HexText.digits($0) },
                devices: found.entries.map(DeviceReport.init)
            )
        )
    }

    private static func filter(_ target: RequestTarget) throws(Refusal) -> DeviceFilter {
        try DeviceFilter(
            prefix: target.value("prefix") ?? [],
            state: target.value("state") ?? [],
            tag: try TagOfQuery.read(target)
        )
    }

    private static func order(_ target: RequestTarget) throws(Refusal) -> ListDevices.Order {
        guard let word = target.value("sort"), !word.isEmpty else { return .kept }
        guard String(decoding: word, as: UTF8.self).lowercased() == behindWord else {
            throw .invalid(field: "sort", reason: "can only be '\(behindWord)'.")
        }
        guard target.value("continuationtoken") == nil else {
            throw .invalid(field: "continuationtoken", reason: "does not go with 'sort'.")
        }
        return .behind
    }

    /// Eight hex digits; the beginning for the first page.
    private static func start(_ target: RequestTarget) throws(Refusal) -> UInt32 {
        guard let text = target.value("continuationtoken"), !text.isEmpty else { return 0 }
        guard let place: UInt32 = HexText.number(text) else { throw .foreignToken }
        return place
    }

    // MARK: One

    private static func get(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        guard let subject = ExplainSubject(device: exchange.parameter("device")) else {
            throw .refused(.invalid(field: "device", reason: "is no id of a device."))
        }
        let found = try await exchange.submit(GetDevice(subject))
        return Answer(
            json: Details(
                device: DeviceReport(found.device),
                registrations: found.registrations.map { RegistrationReport($0) }
            )
        )
    }
}
