"""aioapns beside the hub: `relay_peer.py FOLDER PORT COUNT STREAMS`, for Tests/Benchmarks/relay.

Sends COUNT notifications to `belfry fake apns` over one connection, so many at once, and prints how
many a second and microseconds of CPU for each. It wants an apns-id in answers, which only the fake gives.
"""
import asyncio, hashlib, json, ssl, sys, time
from aioapns import APNs, NotificationRequest, PushType


async def main(folder, own_port, count, streams):
    loop = asyncio.get_running_loop()
    connect = loop.create_connection

    def local(protocol_factory, host, port, **more):
        return connect(protocol_factory, "127.0.0.1", own_port, **dict(more, server_hostname=host))

    loop.create_connection = local
    context = ssl.create_default_context(cafile=f"{folder}/ca.pem")
    context.set_alpn_protocols(["h2"])
    with open(f"{folder}/AuthKey_FAKEKEY001.p8", encoding="utf-8") as file:
        client = APNs(key=file.read(), key_id="FAKEKEY001", team_id="FAKETEAM01",
                      topic="com.example.app", max_connections=1, ssl_context=context)
    message, room = {"aps": {"alert": "x" * 960}}, asyncio.Semaphore(streams)
    failed = 0

    async def send(number):
        nonlocal failed
        async with room:
            answer = await client.send_notification(NotificationRequest(
                device_token=hashlib.sha256(b"%d" % number).hexdigest(), message=message,
                time_to_live=3600, priority=10, push_type=PushType.ALERT))
            failed += not answer.is_successful

    await send(0)
    began, used = time.monotonic(), time.process_time()
    await asyncio.gather(*(send(number) for number in range(count)))
    took, used = time.monotonic() - began, time.process_time() - used
    print(json.dumps({"rate": count / took, "cost": used * 1e6 / count, "failed": failed}))


asyncio.run(main(sys.argv[1], *map(int, sys.argv[2:])))
