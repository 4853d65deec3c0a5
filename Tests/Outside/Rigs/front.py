#!/usr/bin/env python3
"""Passes connections on to the node that leads, as a balancer in front of several nodes does.

    front.py REST DEVICES NODE_REST:NODE_DEVICES ...

Listens at both ports of 127.0.0.1. It asks each node's /healthz?leads ten times a second, and passes every
connection on to the one that answers 200; connections to others end then. Prints a JSON line with
the node's number whenever another leads.
"""
import asyncio, json, ssl, sys

PAUSE, PATIENCE = 0.1, 3.0  # a busy machine answers late


class Front:
    def __init__(self, nodes):
        self.nodes, self.leader, self.open = nodes, None, set()
        self.context = ssl.create_default_context()
        self.context.check_hostname, self.context.verify_mode = False, ssl.CERT_NONE

    async def is_healthy(self, port):
        writer = None
        try:
            async with asyncio.timeout(PATIENCE):
                reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=self.context)
                writer.write(b"GET /healthz?leads HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                return (await reader.readline()).split()[1:2] == [b"200"]
        except (OSError, TimeoutError, ssl.SSLError):
            return False
        finally:
            if writer:
                writer.transport.abort()

    async def watch(self, number):
        while True:
            healthy = await self.is_healthy(self.nodes[number][0])
            if healthy and self.leader != number:
                self.leader = number
                print(json.dumps({"leader": number}), flush=True)
            elif not healthy and self.leader == number:
                self.leader = None
            for node, transport in list(self.open):
                if node != self.leader and self.leader is not None:
                    transport.abort()
            await asyncio.sleep(PAUSE)

    async def accept(self, reader, writer, which):
        number = self.leader
        if number is None:
            return writer.transport.abort()
        try:
            there = await asyncio.open_connection("127.0.0.1", self.nodes[number][which])
        except OSError:
            return writer.transport.abort()
        places = [(number, writer.transport), (number, there[1].transport)]
        self.open.update(places)
        try:
            await asyncio.gather(pass_on(reader, there[1]), pass_on(there[0], writer))
        finally:
            self.open.difference_update(places)
            for _, transport in places:
                transport.abort()


async def pass_on(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        writer.write_eof()
    except (OSError, RuntimeError):
        writer.transport.abort()


async def main():
    rest, devices = int(sys.argv[1]), int(sys.argv[2])
    front = Front([tuple(map(int, node.split(":"))) for node in sys.argv[3:]])
    for which, port in enumerate((rest, devices)):
        await asyncio.start_server(
            lambda reader, writer, which=which: front.accept(reader, writer, which), "127.0.0.1", port, backlog=1024
        )
    print(json.dumps({"listening": True}), flush=True)
    await asyncio.gather(*(front.watch(number) for number in range(len(front.nodes))))


if __name__ == "__main__":
    asyncio.run(main())
