#!/usr/bin/env python3
"""Writes template.json: templates, properties, and the rendered result or the refusal.

The results are written by hand, from templates.md. No code of Belfry is used.
"""

import json
import pathlib

PROPERTIES = {"title": "Summit", "count": "7", "url": "https://n.example/a b",
              "long": "abcdefghijkl"}
APNS, GCM, WNS, MPNS, BROWSER = 0, 1, 3, 4, 7
vectors = []


def add(name, body, result, platform=APNS, properties=None, headers=(), expiry="", kept=None,
        expires=None):
    vector = dict(name=name, platform=platform, body=body, expiry=expiry,
                  headers=[list(pair) for pair in headers],
                  properties=json.dumps(PROPERTIES if properties is None else properties,
                                        ensure_ascii=False))
    if result is None:
        vector["error"] = "INVALID_TEMPLATE"
    else:
        kept = headers if kept is None else kept
        vector["expect"] = dict(body=result, headers=[list(pair) for pair in kept],
                                expires=expires)
    vectors.append(vector)


def value(name, expression, result, properties=None):
    """A JSON member, whose expected text is given as JSON."""
    add(name, '{"a":%s}' % json.dumps(expression, ensure_ascii=False),
        None if result is None else '{"a":%s}' % result, properties=properties)


def json_values():
    value("property", "$(title)", '"Summit"')
    value("property-any-case", "$(TiTlE)", '"Summit"')
    value("property-with-blanks", "$( title )  ", '"Summit"')
    value("property-missing", "$(none)", '""')
    value("property-null", "$(a)", '""', {"a": None})
    value("property-object", "$(a)", '""', {"a": {"b": 1}})
    value("property-number", "$(a)", '"1.5"', {"a": 1.5})
    value("property-true", "$(a)", '"true"', {"a": True})
    value("property-last-of-equal", "$(a)", '"2"', {"a": "1", "A": "2"})
    value("fallback", "$(none:{no title})", '"no title"')
    value("fallback-not-needed", "$(title:{no title})", '"Summit"')
    value("fallback-empty", "$(none:{})", '""')
    value("fallback-with-brace", "$(none:{x\\}y})", '"x}y"')
    value("fallback-and-length", "$(none:{abcdef}, 3)", '"abc"')
    value("cut", "$(long, 3)", '"abc"')
    value("cut-to-nothing", "$(long, 0)", '""')
    value("cut-longer-than-text", "$(long, 99)", '"abcdefghijkl"')
    value("cut-graphemes", "$(f, 1)", '"👨‍👩‍👧"', {"f": "👨‍👩‍👧abc"})
    value("dots", ".(long, 6)", '"abc..."')
    value("dots-not-needed", ".(title, 6)", '"Summit"')
    value("dots-3", ".(long, 3)", '"..."')
    value("dots-2", ".(long, 2)", '"ab"')
    value("percent", "%(url)", '"https%3A%2F%2Fn.example%2Fa%20b"')
    value("percent-utf8", "%(a)", '"%C3%A9-._~"', {"a": "é-._~"})
    value("number", "#(count)", "7")
    value("number-with-exponent", "#(a)", "-1.5e+3", {"a": "-1.5e+3"})
    value("number-leading-zero", "#(a)", '"07"', {"a": "07"})
    value("number-that-is-none", "#(title)", '"Summit"')
    value("number-missing", "#(none)", '""')
    value("joined", "$(title) + ' ' + $(count)", '"Summit 7"')
    value("joined-in-braces", "{'Hello ' + $(title) + \"!\"}", '"Hello Summit!"')
    value("literal-alone", "{'abc'}", '"abc"')
    value("literal-doubled-quote", "{'it''s'}", '"it\'s"')
    value("escaped", "$(a)", r'"a\"b\\c\n\u0001"', {"a": 'a"b\\c\n\x01'})
    value("text", "Hello $(title)", '"Hello $(title)"')
    value("text-quoted", "'abc'", '"\'abc\'"')
    value("text-with-leading-blank", " $(title)", '" $(title)"')
    for name, text in dict(
            body="$body", no_parenthesis="$title", not_closed="$(title", no_name="$()",
            bad_name="$(ti-tle)", nothing_behind_dollar="$", two_without_plus="$(title) $(count)",
            plus_at_end="$(title) +", brace_not_closed="{$(title)", brace_empty="{}",
            literal_empty="{''}", literal_not_closed="{'abc}", number_joined="#(count) + 'x'",
            number_in_braces="{#(count)}", number_with_length="#(count, 2)",
            percent_with_length="%(url, 2)", dots_without_length=".(long)", length_negative="$(long, -1)",
            length_missing="$(long, )", fallback_without_brace="$(none:x)",
            fallback_not_closed="$(none:{x)", dot_alone=".5", hash_alone="# of it",
            percent_alone="% off", token_unknown="{title}").items():
        value("bad-" + name.replace("_", "-"), text, None)


def json_bodies():
    add("json-literal", '{ "a" : 1.0, "b":[ null ,true], "c":"\\u00e9" }',
        '{ "a" : 1.0, "b":[ null ,true], "c":"\\u00e9" }', platform=GCM)
    add("json-keys-are-text", '{"$(title)":"x"}', '{"$(title)":"x"}', platform=BROWSER)
    add("json-inside", '{"a":["$(title)",{"b":"$(count)"}]}', '{"a":["Summit",{"b":"7"}]}')
    add("json-written-with-escapes", '{"a":"\\u0024(title)"}', '{"a":"Summit"}')
    add("json-array", '["$(title)"]', None)
    add("json-cut-off", '{"a":"$(title)"', None)
    add("json-text", "hello", None, platform=BROWSER)
    add("json-blank", "  \n", None)
    deep = lambda count: '{"a":' * count + "1" + "}" * count
    add("json-depth-32", deep(32), deep(32))
    add("json-depth-33", deep(33), None)
    many = lambda count: '{"a":[%s]}' % ",".join(['"$(count)"'] * count)
    add("json-256-expressions", many(256), many(256).replace("$(count)", "7"))
    add("json-257-expressions", many(257), None)
    tokens = lambda count: "{%s}" % "+".join(["'x'"] * count)
    value("tokens-64", tokens(64), '"%s"' % ("x" * 64))
    value("tokens-65", tokens(65), None)
    name = "n" * 120
    value("name-120", "$(%s)" % name, '"v"', {name: "v"})
    value("name-121", "$(%sn)" % name, None)
    padded = lambda count: '{"a":"%s"}' % ("x" * (count - 8))
    add("body-8192", padded(8192), padded(8192))
    add("body-8193", padded(8193), None)


def xml():
    toast = "<toast><text id=\"$(count)\">$(title)</text></toast>"
    kind = [("X-WNS-Type", "wns/toast")]
    add("xml-toast", toast, "<toast><text id=\"7\">Summit</text></toast>", platform=WNS, kept=kind)
    add("xml-type-given", toast, "<toast><text id=\"7\">Summit</text></toast>", platform=WNS,
        headers=[("X-WNS-Type", "wns/tile")])
    add("xml-type-unknown", toast, None, platform=WNS, headers=[("X-WNS-Type", "wns/other")])
    add("xml-escaped", "<toast><text id='$(a)'>$(a)</text></toast>",
        "<toast><text id='&lt;&amp;&gt;&quot;&#39;'>&lt;&amp;&gt;\"'</text></toast>", platform=WNS,
        properties={"a": "<&>\"'"}, kept=kind)
    add("xml-entity-begins-expression", "<toast><text>&#36;(title)</text></toast>",
        "<toast><text>Summit</text></toast>", platform=WNS, kept=kind)
    add("xml-section", "<toast><text><![CDATA[$(title)]]></text></toast>",
        "<toast><text>Summit</text></toast>", platform=WNS, kept=kind)
    add("xml-text-beside-elements-is-text", "<toast>$(title)<text>a</text></toast>",
        "<toast>$(title)<text>a</text></toast>", platform=WNS, kept=kind)
    add("xml-other-root", "<note>$(title)</note>", None, platform=WNS)
    add("xml-document-type", "<!DOCTYPE toast><toast/>", None, platform=WNS)
    add("xml-not-closed", "<toast><text>a</toast>", None, platform=WNS)
    add("xml-is-json", '{"a":"b"}', None, platform=WNS)
    raw = [("X-WNS-Type", "wns/raw")]
    add("raw-text", "hello", "hello", platform=WNS, headers=raw)
    add("raw-expression", "$(a)", "<\"&", platform=WNS, headers=raw, properties={"a": "<\"&"})
    add("raw-json", '{"a":"$(title)"}', '{"a":"Summit"}', platform=WNS, headers=raw)
    add("raw-xml", "<a>$(title)</a>", "<a>Summit</a>", platform=WNS, headers=raw)
    phone = '<wp:Notification xmlns:wp="WPNotification"><wp:%s>%s</wp:%s></wp:Notification>'
    add("phone-toast", phone % ("Toast", "<wp:Text1>$(title)</wp:Text1>", "Toast"),
        phone % ("Toast", "<wp:Text1>Summit</wp:Text1>", "Toast"), platform=MPNS)
    add("phone-other-child", phone % ("Note", "a", "Note"), None, platform=MPNS)
    add("phone-raw", "hello", "hello", platform=MPNS, headers=[("X-NotificationClass", "3")])
    add("phone-text-without-class", "hello", None, platform=MPNS)


def fields():
    body = '{"a":1}'
    add("header-expression", body, body, headers=[("apns-collapse-id", "$(title)")],
        kept=[("apns-collapse-id", "Summit")])
    add("header-control-characters", body, body, headers=[("apns-topic", "$(a)")],
        properties={"a": "x\r\ny"}, kept=[("apns-topic", "x  y")])
    add("header-too-long-when-filled", body, body, headers=[("apns-topic", "$(a)")],
        properties={"a": "x" * 256}, kept=[])
    add("header-255-when-filled", body, body, headers=[("apns-topic", "$(a)")],
        properties={"a": "x" * 255}, kept=[("apns-topic", "x" * 255)])
    add("header-of-another-platform", body, None, headers=[("X-Other", "a")])
    add("header-free-name", body, body, platform=GCM, headers=[("X-Other", "a")])
    add("header-value-blank", body, None, platform=GCM, headers=[("X-Other", " ")])
    add("header-name-with-blank", body, None, platform=GCM, headers=[("X Other", "a")])
    add("header-bad-expression", body, None, platform=GCM, headers=[("X-Other", "$(a")])
    add("header-priority", body, body, headers=[("apns-priority", "10")])
    add("header-priority-bad", body, None, headers=[("apns-priority", "high")])
    add("header-expiration", body, body, headers=[("apns-expiration", "1798135200")],
        expires="1798135200")
    add("header-expiration-0", body, body, headers=[("apns-expiration", "0")], expires="0")
    add("header-expiration-bad", body, None, headers=[("apns-expiration", "soon")])
    add("expiry-0", body, body, expiry=" 0 ", expires="0")
    add("expiry-time", body, body, expiry="2026-12-24T18:00:00Z", expires="1798135200")
    add("expiry-with-zone", body, body, expiry="2026-12-24T20:00:00+02:00", expires="1798135200")
    add("expiry-expression", body, body, expiry="$(when)",
        properties={"when": "2026-12-24T18:00:00Z"}, expires="1798135200")
    add("expiry-expression-that-is-no-time", body, body, expiry="$(title)")
    add("expiry-before-header", body, body, expiry="2026-12-24T18:00:00Z",
        headers=[("apns-expiration", "0")], expires="1798135200")
    add("expiry-blank", body, body, expiry="  ")
    add("expiry-blank-before-header", body, body, expiry="  ",
        headers=[("apns-expiration", "1798135200")], expires="1798135200")
    add("expiry-that-renders-blank-before-header", body, body, expiry="$(nothing)",
        headers=[("apns-expiration", "1798135200")])
    add("expiry-text", body, None, expiry="soon")


json_values()
json_bodies()
xml()
fields()
names = [vector["name"] for vector in vectors]
assert len(set(names)) == len(names)
path = pathlib.Path(__file__).with_name("template.json")
lines = (json.dumps(vector, ensure_ascii=False) for vector in vectors)
path.write_text("[\n" + ",\n".join(lines) + "\n]\n")
print(len(vectors), "template vectors,", sum("error" in vector for vector in vectors), "refused")
