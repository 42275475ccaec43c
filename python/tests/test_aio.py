"""The asyncio twin: what its sync twin does, in an event loop."""

import array
import asyncio
import contextlib
import time

import pytest

import arraywire
from arraywire import aio

numpy = pytest.importorskip("numpy")


def run(function):
    """A test that is a coroutine function."""

    def test():
        async def in_time():
            await asyncio.wait_for(function(), 60)

        asyncio.run(in_time())

    test.__name__ = function.__name__
    return test


@contextlib.asynccontextmanager
async def joined(**options):
    async with await aio.listen("localhost:0", **options) as listener:
        async with await aio.connect(listener.address, **options) as left:
            async with await listener.accept(10) as right:
                yield left, right


@run
async def test_arrays_both_ways():
    async with joined() as (left, right):
        for count in (0, 1, 1000, 70_000, 3_000_000):
            sent = numpy.arange(count, dtype="f4")
            sending = asyncio.ensure_future(left.send(sent, tag=7, metadata={"m": "n"}, processed=True))
            got = await right.receive_message(10)
            assert numpy.array_equal(got.array, sent) and got.tag == 7 and got.metadata == {"m": "n"}
            await sending
            room = numpy.empty(count, "f4")
            sending = asyncio.ensure_future(right.send(sent))
            assert (await left.receive_into(room, 10)).shape == (count,)
            assert numpy.array_equal(room, sent)
            await sending


@run
async def test_both_send_large_arrays_at_the_same_time():
    big = numpy.arange(1 << 22, dtype="f4")
    async with joined() as (left, right):
        results = await asyncio.gather(left.send(big), right.send(big), left.receive(30), right.receive(30))
        assert all(numpy.array_equal(each, big) for each in results[2:])


@run
async def test_requests_side_by_side():
    async def answer(request):
        if len(request) == 0:
            raise ValueError("there is no such table")
        await asyncio.sleep(0.02 if request.array[0] % 2 else 0)
        return request.array * 2

    async with await aio.listen("localhost:0", answer=answer) as listener:
        async with await aio.connect(listener.address) as connection:
            began = time.monotonic()
            answers = await asyncio.gather(*(connection.call(numpy.full(16, i), 10) for i in range(200)))
            assert [int(each.array[0]) for each in answers] == [2 * i for i in range(200)]
            assert time.monotonic() - began < 2  # 100 of them wait, at the same time
            with pytest.raises(arraywire.RequestFailedError, match="there is no such table"):
                await connection.call(numpy.zeros(0), 10)
            with pytest.raises(arraywire.RejectedError, match="takes no other arrays"):
                await connection.send(b"x", processed=True)


@run
async def test_timeouts_and_cancelling():
    async with joined() as (left, right):
        with pytest.raises(TimeoutError, match="no array came in time"):
            await left.receive(0.05)
        with pytest.raises(TimeoutError, match="withdrawn"):
            await left.send(numpy.zeros(1 << 20), timeout=0.1)
        with pytest.raises(TimeoutError, match="may or may not"):
            await left.send(b"x", processed=True, timeout=0.1)
        assert (await right.receive(10)).tolist() == [120]
        waits = asyncio.ensure_future(right.receive())
        await asyncio.sleep(0)
        waits.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waits
        sending = asyncio.ensure_future(left.send(numpy.zeros(1 << 20)))
        queue = left._core.outbound(0).queue
        while not queue or not queue[0].sent:  # some of it has left
            await asyncio.sleep(0)
        sending.cancel()
        with pytest.raises(asyncio.CancelledError):
            await sending
        await left.send(b"y")
        assert (await right.receive(10)).tolist() == [121]


async def one_of_two(wait, send):
    """Both wait, one thing comes: what the first one got, and a task that still waits."""
    waits = [asyncio.ensure_future(wait(10)) for _ in range(2)]
    await asyncio.sleep(0)
    sending = asyncio.ensure_future(send())
    (done,), (other,) = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
    return await done, other, sending


@run
async def test_two_receive_and_one_array_comes():
    async with joined() as (left, right):
        first, other, _ = await one_of_two(right.receive, lambda: left.send(b"x"))
        await left.send(b"y")
        assert [first.tolist(), (await other).tolist()] == [[120], [121]]


@run
async def test_two_take_requests_and_one_comes():
    async with joined() as (left, right):
        first, other, call = await one_of_two(right.next_request, lambda: left.call(b"x", 10))
        assert await first.reply(b"a") and (await call).array.tolist() == [97]
        call = asyncio.ensure_future(left.call(b"y", 10))
        assert await (await other).reply(b"b") and (await call).array.tolist() == [98]


@run
async def test_handlers_and_refusals():
    got = []

    async def handler(message):
        got.append(message.array.tolist())
        if len(got) == 2:
            raise ValueError("not this one")

    async with await aio.listen("localhost:0", handler) as listener:
        async with await aio.connect(listener.address) as connection:
            await connection.send(b"a", processed=True)
            with pytest.raises(arraywire.RejectedError, match="not this one"):
                await connection.send(b"b", processed=True)
            await connection.send(b"c")
    assert got == [[97], [98], [99]]


@run
async def test_publish_and_subscribe():
    async with await aio.listen("localhost:0") as listener:
        async with await aio.connect(listener.address) as connection:
            ticks = await connection.subscribe("ticks", "drop-oldest", queue_bytes=1 << 16)
            for i in range(300):
                await listener.publish("ticks", numpy.full(1000, i, "f8"))
            last = -1
            while last < 299:
                array_ = await ticks.receive(10)
                assert array_[0] > last
                last = array_[0]
            ticks.close()
            with pytest.raises(arraywire.ConnectionClosedError):
                await ticks.receive(1)


@run
async def test_iterating_ends_with_the_goodbye():
    async with await aio.listen("localhost:0") as listener:
        connection = await aio.connect(listener.address)
        right = await listener.accept(10)
        for i in range(5):
            await connection.send(array.array("i", [i]))

        async def take():
            return [each.tolist() async for each in right]

        got, _ = await asyncio.gather(take(), connection.close())
        assert got == [[0], [1], [2], [3], [4]]


@run
async def test_ends_that_are_no_goodbyes():
    async with await aio.listen("localhost:0") as listener:
        connection = await aio.connect(listener.address)
        right = await listener.accept(10)
        waits = asyncio.ensure_future(right.receive())
        await asyncio.sleep(0)
        connection.close_now()
        with pytest.raises(arraywire.ConnectionLostError):
            await waits
        with pytest.raises(arraywire.ConnectionClosedError):
            await connection.send(b"x")
    with pytest.raises(arraywire.ConnectError):
        await aio.connect(listener.address)


@run
async def test_with_a_sync_peer():
    loop = asyncio.get_running_loop()
    with arraywire.listen("localhost:0", answer=lambda request: request.array + 1) as listener:
        async with await aio.connect(listener.address) as connection:
            for i in range(100):
                assert (await connection.call(numpy.array([i]), 10)).array.tolist() == [i + 1]
    async with await aio.listen("localhost:0", answer=lambda request: request.array + 1, token="t") as served:
        with await loop.run_in_executor(None, lambda: arraywire.connect(served.address, token="t")) as sync:
            answer = await loop.run_in_executor(None, lambda: sync.call(numpy.array([1]), 10).array.tolist())
            assert answer == [2]
            await loop.run_in_executor(None, sync.close)
        with pytest.raises(arraywire.HandshakeError):
            await aio.connect(served.address, token="u")


@pytest.mark.parametrize("transport, codec", [("nio", "direct"), ("stream", "buffer-view-le")])
def test_against_java(java, transport, codec):
    peer = java("serve", transport, codec)

    async def both():
        async with await aio.connect(peer.address) as connection:
            answers = await asyncio.gather(*(connection.call(numpy.full(16, i), 60) for i in range(500)))
            assert [int(each.array[0]) for each in answers] == list(range(500))
            big = numpy.arange(1 << 21, dtype="f8")
            _, back = await asyncio.gather(connection.send(big), connection.receive(60))
            assert numpy.array_equal(back, big)

    asyncio.run(both())
