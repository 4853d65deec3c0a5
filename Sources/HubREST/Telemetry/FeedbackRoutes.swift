import HubAtom
import HubModel
import HubRules
import HubVocabulary

/// Registrations that ended by themselves: the address of a container, and the container, read as
/// clients of blob storage read one.
///
/// Source: REST §12.
enum FeedbackRoutes {
    static let rows = [
        RouteRow(
            "getFeedbackContainer",
            "GET",
            "/{hub}/feedbackcontainer",
            "Names the container that says which registrations ended by themselves",
            needs: .manage,
            answers: [
                AnswerNote(
                    200,
                    "Its address, which is its own permission for five days",
                    ContentType.text
                )
            ],
            run: container
        ),
        RouteRow(
            "listFeedback",
            "GET",
            "/{hub}/$belfry/feedback",
            "Lists the blobs of the feedback container, at an address that was given",
            inputs: SignedAddress.inputs + [
                .query("restype", "`container`", .words(["container"])),
                .query("comp", "`list`", .words(["list"])),
                .query("prefix", "How the names begin; a day, month first, as in `05042026`."),
                .query("marker", "`NextMarker` of the page before."),
                .query("maxresults", "Blobs of a page at most.", .number(1...Int(Int32.max))),
            ],
            answers: [AnswerNote(200, "Names, sizes and times, by name", ContentType.xml)],
            refusals: SignedAddress.refusals + [400],
            open: SignedAddress.answering(list)
        ),
        RouteRow(
            "getFeedback",
            "GET",
            "/{hub}/$belfry/feedback/{blob}",
            "Reads a blob of the feedback container, at an address that was given",
            inputs: blobInputs,
            answers: [
                AnswerNote(
                    200,
                    "`PnsFeedback` documents, one on each line",
                    ContentType.text,
                    headers: facts
                ),
                AnswerNote(206, "A range of them", ContentType.text, headers: facts),
            ],
            refusals: SignedAddress.refusals + [416],
            open: SignedAddress.answering(get)
        ),
        RouteRow(
            "headFeedback",
            "HEAD",
            "/{hub}/$belfry/feedback/{blob}",
            "Tells size and time of a blob of the feedback container",
            inputs: Array(blobInputs.dropLast(2)),
            answers: [AnswerNote(200, "The headers of the blob", ContentType.text, headers: facts)],
            refusals: SignedAddress.refusals,
            open: SignedAddress.answering(head)
        ),
    ]

    private static let blobInputs =
        [InputNote.path("blob", "A name of the list.")] + SignedAddress.inputs + [
            .header("Range", "`bytes=FIRST-LAST` or `bytes=FIRST-`."),
            .header("x-ms-range", "The same; this one counts."),
        ]
    private static let facts = [
        (name: "ETag", text: "Changes when rows are added or have become too old"),
        (name: "Last-Modified", text: "When the last of them happened"),
        (name: "x-ms-blob-type", text: "`BlockBlob`"),
    ]

    private static func container(_ exchange: Exchange) async throws(RequestFailure) -> Answer {
        let hub = exchange.incoming.target.rawSegments[0]
        let address = exchange.incoming.url(
            path: "/\(hub)/$belfry/feedback",
            query: try SignedAddress.query(.container, kind: "sr=c&sp=rl", exchange)
        )
        return Answer(
            status: 200,
            headers: [("Content-Type", ContentType.text)],
            body: Array(address.utf8)
        )
    }

    private static func opened(
        _ exchange: OpenExchange
    ) throws(RequestFailure) -> FeedbackContainer {
        FeedbackContainer(
            service: exchange.service,
            hub: try SignedAddress.check(exchange, .container),
            limits: exchange.configuration.limits
        )
    }

    // MARK: The list

    private static func list(_ exchange: OpenExchange) async throws(RequestFailure) -> Answer {
        let container = try opened(exchange)
        let target = exchange.incoming.target
        func value(_ name: String) -> String {
            String(decoding: target.value(name) ?? [], as: UTF8.self)
        }
        for (name, word) in [("restype", "container"), ("comp", "list")]
        where value(name).lowercased() != word {
            throw .refused(.invalid(field: name, reason: "must be '\(word)'."))
        }
        var limit = container.limits.feedback.pageBlobsMax
        let asked = value("maxresults")
        if !asked.isEmpty {
            guard let number = Int(asked), number > 0 else {
                throw .refused(.invalid(field: "maxresults", reason: "must be a number from 1 on."))
            }
            limit = min(limit, number)
        }
        let (prefix, marker) = (value("prefix"), value("marker"))
        let all = try await container.blobs().filter {
            $0.name.hasPrefix(prefix) && $0.name > marker
        }
        let page = all.prefix(limit)
        var output = XMLOutput()
        output.markup("<?xml version=\"1.0\" encoding=\"utf-8\"?><EnumerationResults")
        output.markup(" ServiceEndpoint=\"")
        let hub = target.rawSegments[0]
        output.attribute(exchange.incoming.url(path: "/\(hub)/$belfry/", query: ""))
        output.markup("\" ContainerName=\"feedback\">")
        output.element("Prefix", text: prefix)
        output.element("Marker", text: marker)
        output.element("MaxResults", text: asked)
        output.markup("<Blobs>")
        for blob in page {
            write(blob, bytes: try await container.content(blob).count, to: &output)
        }
        output.markup("</Blobs><NextMarker>")
        if all.count > limit, let last = page.last { output.text(last.name) }
        output.markup("</NextMarker></EnumerationResults>")
        return Answer(status: 200, headers: [("Content-Type", ContentType.xml)], body: output.bytes)
    }

    private static func write(
        _ blob: FeedbackContainer.Blob,
        bytes: Int,
        to output: inout XMLOutput
    ) {
        output.markup("<Blob>")
        output.element("Name", text: blob.name)
        output.markup("<Properties>")
        output.element("Last-Modified", text: CivilTime(blob.part.modified).http)
        output.element("Etag", text: blob.etag)
        output.element("Content-Length", text: String(bytes))
        output.element("Content-Type", text: ContentType.text)
        output.element("BlobType", text: "BlockBlob")
        output.markup("</Properties></Blob>")
    }

    // MARK: A blob

    private static func get(_ exchange: OpenExchange) async throws(RequestFailure) -> Answer {
        let (blob, content) = try await read(exchange)
        let answer = Answer(status: 200, headers: headers(blob), body: content)
        return try answer.part(exchange.incoming)
    }

    private static func head(_ exchange: OpenExchange) async throws(RequestFailure) -> Answer {
        let (blob, content) = try await read(exchange)
        let size = [("Content-Length", String(content.count))]
        return Answer(status: 200, headers: headers(blob) + size)
    }

    private static func read(
        _ exchange: OpenExchange
    ) async throws(RequestFailure) -> (FeedbackContainer.Blob, [UInt8]) {
        let container = try opened(exchange)
        guard let blob = try await container.blob(named: exchange.parameter("blob")) else {
            throw .refused(.feedbackNotFound)
        }
        return (blob, try await container.content(blob))
    }

    private static func headers(
        _ blob: FeedbackContainer.Blob
    ) -> [(name: String, value: String)] {
        [
            ("Content-Type", ContentType.text), ("Accept-Ranges", "bytes"),
            ("ETag", "\"\(blob.etag)\""),
            ("Last-Modified", CivilTime(blob.part.modified).http), ("x-ms-blob-type", "BlockBlob"),
        ]
    }
}
