// Generated from Protocol/dictionary-1.bin by Protocol/vectors/generate_parcels.py.

/// The well-known dictionary 1: frozen, part of the protocol.
///
/// Source: [P-10].
package enum WellKnownDictionary {
    /// The first eight bytes of the content's SHA-256, big-endian.
    package static let identifier: UInt64 = 0x719e_a6b6_1238_3c4b

    /// The content: scaffolding of push payloads, most frequent strings last.
    package static let bytes = [UInt8](text.utf8)

    private static let text = #"""
        <?xml version="1.0" encoding="utf-8"?><wp:Notification xmlns:wp="WPNotification"\#
        ><wp:Tile><wp:Count></wp:Count><wp:Title></wp:Title></wp:Tile><wp:Toast><wp:Text\#
        1></wp:Text1><wp:Text2></wp:Text2><wp:Param></wp:Param></wp:Toast></wp:Notificat\#
        ion><badge value="<tile><visual><binding template="TileSquare150x150Text04"><ima\#
        ge id="1" src="</tile><toast launch=""><visual><binding template="ToastGeneric">\#
        <text></text><text>ToastImageAndText02"><text id="1">ToastText01"><text id="1"><\#
        /text><text id="2"></text></binding></visual></toast>{"message":{"token":"","top\#
        ic":"","android":{"priority":"high","ttl":"3600s","notification":{"channel_id":"\#
        "apns":{"headers":{"apns-priority":"10"},"payload":{"aps":{"time_to_live":86400,\#
        "content_available":true,"loc-key":"","loc-args":["","interruption-level":"time-\#
        sensitive","richId":"","richMessage":"","richType":"img""messageParam":""amount"\#
        :"order_id":"status":"enabled":true,"read":false,"value":null,"location":{"lat":\#
        "lng":"conversation_id":"sender_id":"from":"username":"image":"https://cdn."even\#
        t_id":"start":"date":"time":"created_at":"version":"action":"open","deep_link":"\#
        http://www..png.jpg",".com//images//news/T00:00:00Z","2025-2026- with  from  wil\#
        l  after  than  about  says  you have  your  new  first  people  government  mar\#
        ket  today tomorrow  week year million ation ing ment ers ed  on the  for the  t\#
        o the  at the  of the  in the  and  is  are  was  a New message from Breaking Wo\#
        rld News : Politics News : Business News : Technology News : Science News : Spor\#
        ts News : Breaking news: "tag":""label":""icon":""click_action":"OPEN_"priority"\#
        :"high","collapse_key":""source":""lang":"en",""topic":""url":"https://www."time\#
        stamp":17"type":""id":""text":""subtitle":"{"to":"/topics/news","notification":{\#
        "title":""body":""},"data":{"title":"{"data":{"msg":"{"data":{"message":""}}"mut\#
        able-content":1,"content-available":1},"{"aps":{"alert":{"title":"","body":""},"\#
        badge":","sound":"default","badge":1,"category":"","thread-id":""},"url":"https:\#
        //{"aps":{"alert":"Breaking 
        """#
}
