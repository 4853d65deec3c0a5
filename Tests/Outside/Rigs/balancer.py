#!/usr/bin/env python3
"""Passes connections on to one of several nodes, as a balancer in front of them does.

    balancer.py [--fronts] REST DEVICES [HOST:]NODE_REST:NODE_DEVICES ...

Listens at both ports of 127.0.0.1. It asks each node's /healthz?leads ten times a second, and passes
every connection on to the one that answers 200; connections to others end then. With --fronts it
prefers a node that does not lead and whose /healthz answers 200. Prints a JSON line with the node's
number whenever it passes connections on to another.
"""
import asyncio, json, ssl, sys

PAUSE, PATIENCE = 0.1, 3.0  # a busy machine answers late


class Balancer:
    def __init__(self, nodes, fronts):
        self.nodes, self.fronts, self.target, self.open = nodes, fronts, None, set()
        self.leads, self.serves = [False] * len(nodes), [False] * len(nodes)
        self.context = ssl.create_default_context()
        self.context.check_hostname, self.context.verify_mode = False, ssl.CERT_NONE

    async def is_healthy(self, host, port, path):
        writer = None
        try:
            async with asyncio.timeout(PATIENCE):
                reader, writer = await asyncio.open_connection(host, port, ssl=self.context)
                writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
                return (await reader.readline()).split()[1:2] == [b"200"]
        except (OSError, TimeoutError, ssl.SSLError):
            return False
        finally:
            if writer:
                writer.transport.abort()

    def choice(self):
        fronts = [n for n, serves in enumerate(self.serves) if serves and not self.leads[n]]
        leaders = [n for n, leads in enumerate(self.leads) if leads]
        wanted = (fronts if self.fronts else []) or leaders
        return self.target if self.target in wanted else next(iter(wanted), None)

    async def watch(self, number):
        host, port = self.nodes[number][:2]
        while True:
            self.leads[number] = await self.is_healthy(host, port, "/healthz?leads")
            self.serves[number] = self.fronts and await self.is_healthy(host, port, "/healthz")
            chosen = self.choice()
            if chosen is not None and chosen != self.target:
                print(json.dumps({"to": chosen, "leads": self.leads[chosen]}), flush=True)
            self.target = chosen
            for node, transport in list(self.open):
                if node != self.target and self.target is not None:
                    transport.abort()
            await asyncio.sleep(PAUSE)

    async def accept(self, reader, writer, which):
        number = self.target
        if number is None:
            return writer.transport.abort()
        try:
            host, *ports = self.nodes[number]
            there = await asyncio.open_connection(host, ports[which])
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


def place(text):
    *host, rest, devices = text.split(":")
    return host[0] if host else "127.0.0.1", int(rest), int(devices)


async def pass_on(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
        writer.write_eof()
    except (OSError, RuntimeError):
        writer.transport.abort()


async def main():
    words = [word for word in sys.argv[1:] if word != "--fronts"]
    rest, devices = int(words[0]), int(words[1])
    nodes = [place(text) for text in words[2:]]
    balancer = Balancer(nodes, "--fronts" in sys.argv)
    for which, port in enumerate((rest, devices)):
        await asyncio.start_server(
            lambda reader, writer, which=which: balancer.accept(reader, writer, which),
            "127.0.0.1",
            port,
            backlog=1024,
        )
    print(json.dumps({"listening": True}), flush=True)
    await asyncio.gather(*(balancer.watch(number) for number in range(len(nodes))))


if __name__ == "__main__":
    asyncio.run(main())
