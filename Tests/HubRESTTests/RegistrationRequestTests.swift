import Testing

/// A body as a client posts it, and what the core must be asked to store.
struct RequestShape: CustomTestStringConvertible, Sendable {
    var client: String
    var body: String
    var stored: String

    var testDescription: String { client }
}

private let connect = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"
private let instance = "http://www.w3.org/2001/XMLSchema-instance"

/// An entry as the Java, JavaScript and PHP clients write it.
func canonical(_ type: String, _ members: String) -> String {
    """
    <?xml version="1.0" encoding="utf-8"?>
    <entry xmlns="http://www.w3.org/2005/Atom">
        <content type="application/xml">
            <\(type) xmlns:i="\(instance)" xmlns="\(connect)">
                \(members)
            </\(type)>
        </content>
    </entry>
    """
}

@Suite("Registration bodies")
struct RegistrationRequestTests {
    static let shapes: [RequestShape] = [
        RequestShape(
            client: ".NET, base type with i:type and nil members",
            body: "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\">"
                + "<RegistrationDescription xmlns:i=\"\(instance)\" "
                + "i:type=\"AppleTemplateRegistrationDescription\" xmlns=\"\(connect)\">"
                + "<RegistrationId i:nil=\"true\" /><Tags>World</Tags>"
                + "<DeviceToken>A1B2</DeviceToken>"
                + "<BodyTemplate><![CDATA[{\"aps\":{\"alert\":\"$(messageParam)\"}}]]>"
                + "</BodyTemplate><Expiry i:nil=\"true\" /><TemplateName i:nil=\"true\" />"
                + "</RegistrationDescription></content></entry>",
            stored: "apple template handle=A1B2 tags=World "
                + "body={\"aps\":{\"alert\":\"$(messageParam)\"}}"
        ),
        RequestShape(
            client: ".NET, another prefix in front of type and nil",
            body: "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\">"
                + "<RegistrationDescription xmlns:x=\"\(instance)\" xmlns:c=\"\(connect)\" "
                + "x:type=\"c:GcmRegistrationDescription\" xmlns=\"\(connect)\">"
                + "<Tags x:nil=\"1\"/><GcmRegistrationId>g-1</GcmRegistrationId>"
                + "</RegistrationDescription></content></entry>",
            stored: "gcm native handle=g-1"
        ),
        RequestShape(
            client: "Java, Apple template",
            body: canonical(
                "AppleTemplateRegistrationDescription",
                "<Tags>World,Politics,username:mara</Tags><DeviceToken>A1B2</DeviceToken>"
                    + "<BodyTemplate><![CDATA[{\"aps\":{}}]]></BodyTemplate><Expiry>0</Expiry>"
            ),
            stored: "apple template handle=A1B2 tags=World,Politics,username:mara "
                + "body={\"aps\":{}} expiry=0"
        ),
        RequestShape(
            client: "JavaScript, updated beside content, Apple headers and priority",
            body: "<?xml version=\"1.0\" encoding=\"utf-16\" standalone=\"yes\"?>"
                + "<entry xmlns=\"http://www.w3.org/2005/Atom\"><updated>2026-05-04T09:12:03.000Z"
                + "</updated><content type=\"application/xml\">"
                + "<AppleTemplateRegistrationDescription xmlns=\"\(connect)\">"
                + "<DeviceToken> A1B2 </DeviceToken><BodyTemplate>{&quot;a&quot;:1}</BodyTemplate>"
                + "<Priority>$(prio)</Priority><TemplateName>news</TemplateName>"
                + "<ApnsHeaders><ApnsHeader><Header>apns-push-type</Header><Value>alert</Value>"
                + "</ApnsHeader><ApnsHeader><Header>apns-topic</Header><Value>$(t)</Value>"
                + "</ApnsHeader></ApnsHeaders></AppleTemplateRegistrationDescription></content>"
                + "</entry>",
            stored: "apple template handle=A1B2 name=news body={\"a\":1} priority=$(prio) "
                + "headers=apns-push-type:alert;apns-topic:$(t)"
        ),
        RequestShape(
            client: "iOS, text/xml content, blanks between and around",
            body: "\u{FEFF}<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"text/xml\">"
                + "\n <AppleRegistrationDescription xmlns:i=\"\(instance)\" xmlns=\"\(connect)\">"
                + "\n <Tags> World , ,Sports,world,</Tags>\n <DeviceToken>\nA1B2\n</DeviceToken>"
                + "</AppleRegistrationDescription></content></entry>",
            stored: "apple native handle=A1B2 tags=World,Sports"
        ),
        RequestShape(
            client: "Android, id and updated and server members in the body",
            body: "<entry xmlns=\"http://www.w3.org/2005/Atom\"><id>x</id><updated>y</updated>"
                + "<content type=\"application/xml\"><GcmTemplateRegistrationDescription "
                + "xmlns:i=\"\(instance)\" xmlns=\"\(connect)\"><ETag>3</ETag>"
                + "<ExpirationTime>2026-05-04T09:12:03.000Z</ExpirationTime>"
                + "<RegistrationId>1-2-3</RegistrationId><Tags>a</Tags>"
                + "<GcmRegistrationId>tok:en</GcmRegistrationId>"
                + "<BodyTemplate><![CDATA[{\"data\":{\"m\":\"$(m)\"}}]]></BodyTemplate>"
                + "<TemplateName>t 1</TemplateName></GcmTemplateRegistrationDescription>"
                + "</content></entry>",
            stored: "gcm template handle=tok:en tags=a name=t 1 body={\"data\":{\"m\":\"$(m)\"}}"
        ),
        RequestShape(
            client: "PHP, WNS template, https namespace, no content type",
            body: "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content>"
                + "<WindowsTemplateRegistrationDescription xmlns=\""
                + connect.replacing("http:", with: "https:") + "\"><WnsHeaders><WnsHeader>"
                + "<Header>X-WNS-Type</Header><Value>wns/toast</Value></WnsHeader></WnsHeaders>"
                + "<ChannelUri>https://wns.example.net/c?a=1&amp;b=2</ChannelUri>"
                + "<BodyTemplate><![CDATA[<toast><text id=\"1\">$(m)</text></toast>]]>"
                + "</BodyTemplate></WindowsTemplateRegistrationDescription></content></entry>",
            stored: "windows template handle=https://wns.example.net/c?a=1&b=2 "
                + "body=<toast><text id=\"1\">$(m)</text></toast> headers=X-WNS-Type:wns/toast"
        ),
        RequestShape(
            client: "Go, FCM v1 with push variables, author and link",
            body: "<entry xmlns=\"http://www.w3.org/2005/Atom\"><author><name>n</name></author>"
                + "<link href=\"x\"/><content type=\"application/xml\">"
                + "<FcmV1TemplateRegistrationDescription xmlns=\"\(connect)\"><Extra><Deep/></Extra>"
                + "<PushVariables>{\"nick\":\"M\\u00e4ra\",\"a_b\":\"c\"}</PushVariables>"
                + "<FcmV1RegistrationId>f1</FcmV1RegistrationId><BodyTemplate>{}</BodyTemplate>"
                + "</FcmV1TemplateRegistrationDescription></content></entry>",
            stored: "fcmv1 template handle=f1 vars=a_b:c;nick:Mära body={}"
        ),
        RequestShape(
            client: "Python, legacy FCM names, prefixed elements",
            body: "<a:entry xmlns:a=\"http://www.w3.org/2005/Atom\" xmlns:s=\"\(connect)\">"
                + "<a:content type=\"application/xml\"><s:FcmRegistrationDescription>"
                + "<s:FcmRegistrationId>old</s:FcmRegistrationId>"
                + "</s:FcmRegistrationDescription></a:content></a:entry>",
            stored: "gcm native handle=old"
        ),
        RequestShape(
            client: "body template in split CDATA with umlauts",
            body: canonical(
                "AdmTemplateRegistrationDescription",
                "<AdmRegistrationId>amzn1.x</AdmRegistrationId>"
                    + "<BodyTemplate><![CDATA[{\"a\":\"]]]]><![CDATA[>ü\"}]]></BodyTemplate>"
            ),
            stored: "adm template handle=amzn1.x body={\"a\":\"]]>ü\"}"
        ),
    ]

    @Test("of every client are read", arguments: shapes)
    func read(_ shape: RequestShape) async throws {
        let harness = RESTHarness()
        let reply = try await harness.send(
            .post,
            "/news/registrations/?api-version=2020-06",
            body: shape.body
        )
        #expect(reply.status == 200, "\(reply.body)")
        #expect(harness.lastContent?.summary == shape.stored)
    }

    static let platforms: [RequestShape] = [
        RequestShape(
            client: "Apple",
            body: "<DeviceToken>AB</DeviceToken>",
            stored: "apple * handle=AB"
        ),
        RequestShape(
            client: "Gcm",
            body: "<GcmRegistrationId>g</GcmRegistrationId>",
            stored: "gcm * handle=g"
        ),
        RequestShape(
            client: "FcmV1",
            body: "<FcmV1RegistrationId>f</FcmV1RegistrationId>",
            stored: "fcmv1 * handle=f"
        ),
        RequestShape(
            client: "Windows",
            body: "<ChannelUri>https://w/1</ChannelUri><SecondaryTileName>t</SecondaryTileName>",
            stored: "windows * handle=https://w/1 tile=t"
        ),
        RequestShape(
            client: "Mpns",
            body: "<ChannelUri>https://m/1</ChannelUri>",
            stored: "windowsphone * handle=https://m/1"
        ),
        RequestShape(
            client: "Adm",
            body: "<AdmRegistrationId>a</AdmRegistrationId>",
            stored: "adm * handle=a"
        ),
        RequestShape(
            client: "Baidu",
            body: "<BaiduUserId>u-1</BaiduUserId><BaiduChannelId>77</BaiduChannelId>",
            stored: "baidu * handle=u-1-77 fields=BaiduUserId:u-1"
        ),
        RequestShape(
            client: "Baidu",
            body: "<BaiduUserId>u</BaiduUserId><BaiduChannelId>7-7</BaiduChannelId>",
            stored: "baidu * handle=u-7-7"
        ),
        RequestShape(
            client: "Baidu",
            body: "<BaiduChannelId>7-7</BaiduChannelId>",
            stored: "baidu * handle=7-7 fields=BaiduUserId:-"
        ),
        RequestShape(
            client: "Browser",
            body: "<Endpoint>https://b/1</Endpoint><P256DH>pk</P256DH><Auth>au</Auth>",
            stored: "browser * handle=https://b/1 fields=P256DH:pk;Auth:au"
        ),
        RequestShape(
            client: "Xiaomi",
            body: "<XiaomiRegistrationId>x</XiaomiRegistrationId>",
            stored: "xiaomi * handle=x"
        ),
    ]

    @Test("of every platform are read, native and template", arguments: platforms, [false, true])
    func readPlatform(_ shape: RequestShape, isTemplate: Bool) async throws {
        let harness = RESTHarness()
        let type = shape.client + (isTemplate ? "Template" : "") + "RegistrationDescription"
        let text =
            switch shape.client {
            case "Windows": "<toast/>"
            case "Mpns":
                "<wp:Notification xmlns:wp=\"WPNotification\"><wp:Toast/></wp:Notification>"
            default: "{}"
            }
        let template = isTemplate ? "<BodyTemplate><![CDATA[\(text)]]></BodyTemplate>" : ""
        let reply = try await harness.send(
            .put,
            "/news/registrations/1-2-3",
            body: canonical(type, shape.body + template)
        )
        #expect(reply.status == 200, "\(reply.body)")
        let kind = isTemplate ? "template" : "native"
        var stored = shape.stored.replacing("*", with: kind)
        if isTemplate { stored += " body=\(text)" }
        // The core infers the type of a toast.
        if isTemplate, shape.client == "Windows" { stored += " headers=X-WNS-Type:wns/toast" }
        #expect(harness.lastContent?.summary == stored)
        // What is written back is read as the same content again.
        let again = try await harness.send(.put, "/news/registrations/1-2-3", body: reply.body)
        #expect(again.status == 200, "\(again.body)")
        #expect(harness.lastContent?.summary == stored)
    }

    @Test("keep Baidu's message type and lack a user")
    func baiduMessageType() async throws {
        let harness = RESTHarness()
        _ = try await harness.send(
            .post,
            "/news/registrations",
            body: canonical(
                "BaiduTemplateRegistrationDescription",
                "<BaiduUserId></BaiduUserId><BaiduChannelId>77</BaiduChannelId>"
                    + "<BodyTemplate>{}</BodyTemplate><MessageType>1</MessageType>"
            )
        )
        let stored = "baidu template handle=77 fields=MessageType:1 body={}"
        #expect(harness.lastContent?.summary == stored)
    }
}
