import HubWire

/// The vectors of `Protocol/vectors` that a device can say to a hub.
enum HubVectors {
    /// One scenario for each vector from a device.
    static func scenarios(_ folder: VectorFolder) throws(KitFault) -> [Scenario<HubUnderTest>] {
        let frames = try folder.frames().filter(\.isForHub)
        let templates: [TemplateVector] = try folder.read("template")
        return frames.map(scenario) + templates.map(scenario)
    }

    private static func scenario(_ vector: FrameVector) -> Scenario<HubUnderTest> {
        let rules = [
            vector.number == nil ? "F-11" : "F-10", "F-3", "F-4", "F-5", "F-7", "F-8", "F-9", "V-5",
            "E-3", "C-3",
        ]
        return Scenario("vector/\(vector.name)", rules) { hub throws(KitFault) in
            let device = KitDevice(hub)
            if vector.decodingState == .waitHello {
                try device.connect()
            } else {
                try device.open()
            }
            device.say(vector.bytes)
            if let number = vector.number {
                try device.refused(with: [number], limit: vector.limit)
            } else if vector.needMore != nil {
                let heard = device.next(within: 100)
                guard heard == .silence else {
                    throw .broken(expected: "more bytes are needed", came: "\(heard)")
                }
            } else if vector.decodingState == .waitHello {
                try expectHelloRead(device)
            } else {
                try expectRead(device, vector)
            }
        }
    }

    /// HELLO was decoded: WELCOME, or a word about the credentials, which no hub can know.
    private static func expectHelloRead(_ device: KitDevice) throws(KitFault) {
        let heard = device.next()
        guard case .frame(let frame) = heard, frame.type == .error else {
            if case .frame(let frame) = heard, frame.type == .welcome { return }
            throw .broken(expected: "WELCOME or ERROR", came: heard.description)
        }
        let error = try device.read(frame) { body, header throws(WireError) in
            try ErrorFrame(decoding: body, header: header)
        }
        let isAboutFields = error.code >> 8 == 0x01
        try expect(!isAboutFields, "a HELLO that is decoded", came: frame.description)
    }

    /// The frame was decoded: the session goes on, or ends for what the frame means.
    private static func expectRead(
        _ device: KitDevice,
        _ vector: FrameVector
    ) throws(KitFault) {
        var ping: [UInt8] = []
        PingFrame(nextSeconds: 300, token: 77).encode(into: &ping)
        device.say(ping)
        while true {
            let heard = device.next()
            switch heard {
            case .frame(let frame) where frame.type == .pong:
                // A vector may be a PING itself.
                if frame.bytes[8..<12].elementsEqual([0, 0, 0, 77]) { return }
            case .frame(let frame) where frame.type == .result || frame.type == .deliver: continue
            case .frame(let frame)
            where frame.type == .error && frame.bytes[8] == 1 && frame.bytes[9] == 0x0D:
                // The numbers of vectors were never sent: BAD_ACK is right.
                return
            case .closed where vector.bytes[0] == FrameType.bye.rawValue: return
            case .closed where vector.bytes[0] == FrameType.error.rawValue: return
            default:
                throw .broken(
                    expected: "a frame that is decoded, and a session that goes on",
                    came: heard.description
                )
            }
        }
    }

    private static func scenario(_ vector: TemplateVector) -> Scenario<HubUnderTest> {
        let rules = (1...12).map { "X-\($0)" } + ["T-6", "T-1"]
        return Scenario("template/\(vector.name)", rules) { hub throws(KitFault) in
            let device = KitDevice(hub)
            let tag = KitDevice.tag()
            try device.open()
            let template = TemplateMessage(
                name: "kit",
                expiry: vector.expiry,
                headers: vector.headers.map { .init(name: $0[0], value: $0[1]) },
                body: Array(vector.body.utf8)
            )
            let result = try device.register(platform: vector.platform, [tag], template: template)
            guard let expected = vector.expect else {
                return try ExpectedAnswer.expect(result, .invalidTemplate, "REGISTER")
            }
            try ExpectedAnswer.expect(result, nil, "REGISTER")
            try device.send(.template(Array(vector.properties.utf8), tag: tag))
            let payload = try device.payload(try device.arrivals(1)[0]).1
            try expect(
                payload == Array(expected.body.utf8),
                expected.body,
                came: String(decoding: payload, as: UTF8.self)
            )
        }
    }
}
