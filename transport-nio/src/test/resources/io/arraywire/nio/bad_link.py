"""Carries packets between two TUN devices as netem does: late, twice, out of order, or not at all.

usage: bad_link.py DEVICE OTHER DELAY_MILLIS LOSS DUPLICATES REORDERED SEED

The devices are there, in the network namespace in which it runs. LOSS, DUPLICATES and REORDERED are
percentages of packets. What the kernel sends to one device it receives from the other. Says "ready",
and what it did when its standard input ends.
"""

import fcntl
import heapq
import os
import random
import select
import struct
import sys
import time

TUNSETIFF = 0x400454CA
IFF_TUN = 0x0001
IFF_NO_PI = 0x1000
LARGEST_PACKET = 65535
AT_ONCE = 64  # packets read of one device before the other has its turn


def tun(name):
    device = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(device, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TUN | IFF_NO_PI))
    return device


class BadLink:
    def __init__(self, delay, loss, duplicates, reordered, seed):
        self.delay, self.loss, self.duplicates, self.reordered = delay, loss, duplicates, reordered
        self.random = random.Random(seed)
        self.waiting = []  # (due, number, device, packet); the number keeps the order of equals
        self.done = dict(carried=0, lost=0, duplicated=0, reordered=0)

    def happens(self, percent):
        return self.random.random() * 100 < percent

    def take(self, packet, to, now):
        if self.happens(self.loss):
            self.done["lost"] += 1
            return
        # What is not late overtakes all that is, as with netem.
        overtakes = self.happens(self.reordered)
        self.done["reordered"] += overtakes
        twice = self.happens(self.duplicates)
        self.done["duplicated"] += twice
        for _ in range(1 + twice):
            self.done["carried"] += 1
            due = now if overtakes else now + self.delay
            heapq.heappush(self.waiting, (due, self.done["carried"], to, packet))

    def give(self, now):
        while self.waiting and self.waiting[0][0] <= now:
            _, _, to, packet = heapq.heappop(self.waiting)
            try:
                os.write(to, packet)
            except OSError:
                self.done["lost"] += 1  # its queue is full

    def pause(self, now):
        return max(0, self.waiting[0][0] - now) if self.waiting else None


def main():
    one, another = tun(sys.argv[1]), tun(sys.argv[2])
    millis, loss, duplicates, reordered = map(float, sys.argv[3:7])
    link = BadLink(millis / 1000, loss, duplicates, reordered, int(sys.argv[7]))
    print("ready", flush=True)
    while True:
        pause = link.pause(time.monotonic())
        readable, _, _ = select.select([one, another, 0], [], [], pause)
        now = time.monotonic()
        if 0 in readable:
            break
        for device, other in ((one, another), (another, one)):
            for _ in range(AT_ONCE if device in readable else 0):
                try:
                    link.take(os.read(device, LARGEST_PACKET), other, now)
                except BlockingIOError:
                    break
        link.give(time.monotonic())
    print(", ".join(f"{name}={count}" for name, count in link.done.items()), flush=True)


main()
