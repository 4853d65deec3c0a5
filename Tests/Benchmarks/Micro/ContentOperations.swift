import Benchmark
import HubParcel
import HubTemplates

/// From a send's properties to the parcel that all recipients share.
func contentOperations() -> [Operation] {
    [
        Operation("render") {
            let template = sound { () throws(TemplateError) in
                try CompiledTemplate(body: Array(templateText.utf8), syntax: .json)
            }
            let json = Array(propertiesText.utf8)
            let properties = sound { () throws(PropertyBagError) in
                try PropertyBag(json: json.span)
            }
            return { count in
                var sum = 0
                for _ in 0..<count { sum &+= template.render(properties).body.count }
                blackHole(sum)
            }
        },
        parcel("parcel of 256 bytes, identity", .identity),
        parcel("parcel of 256 bytes, deflated", .wellKnownDictionary),
    ]
}

private let templateText = """
    {"aps":{"alert":{"title":"$(title)","body":"$(message)"},"badge":"#(badge)","sound":"default"},\
    "id":"$(id)"}
    """
private let propertiesText = """
    {"title":"Record river harbor","message":"The council and the museum \\"Bridge\\" agree on a \
    budget for the winter","badge":"7","id":"48213"}
    """
private let payloadText = """
    {"data":{"title":"market council launch","message":"river storm signal budget museum harbor \
    treaty engine forest player record border summit planet camera bridge winter","category":"World",\
    "badge":"17","id":"4711","url":"https://news.example/World/1f3a9c27d0"}}
    """

private final class Deflater {
    var deflater = ParcelDeflater()
}

private func parcel(_ name: String, _ codec: ParcelCodec) -> Operation {
    Operation(name) {
        let deflater = Deflater()
        let description = ParcelDescription(
            id: ParcelID(hi: 1 << 16, lo: 2),
            ttlSeconds: 604_800,
            contentType: .json,
            platform: 1,
            payload: Array(payloadText.utf8)
        )
        return { count in
            var sum = 0
            for _ in 0..<count {
                sum &+= sound { () throws(ParcelEncodingError) in
                    try deflater.deflater.encode(description, codec: codec).count
                }
            }
            blackHole(sum)
        }
    }
}
