"""The asyncio twin: what its sync twin does, in an event loop."""

import array
import asyncio
import contextlib
import inspect
import operator
import time

import pytest

import arraywire
from arraywire import aio
from links import Cable

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


@run
async def test_what_is_there_already_and_who_is_connected():
    async with await aio.listen("localhost:0", takes_requests=True) as listener:
        async with await aio.connect(listener.address) as left:
            accepted = listener.__aiter__()
            right = await accepted.__anext__()
            assert listener.connections == [right] and left.peer_address == listener.address
            assert await right.poll() is None
            await left.send(b"x")
            message = await right.receive_message(10)
            assert message.connection is right and repr(right).startswith("<Connection to 127.0.0.1:")
            async with await left.subscribe("ticks"):
                assert listener.subscribers == ["ticks"]
            call = asyncio.ensure_future(left.call(b"x", 10))
            async for request in right.requests(10):
                assert await request.fail("not today")
                break
            with pytest.raises(arraywire.RequestFailedError, match="not today"):
                await call
            with pytest.raises(ValueError, match="no session: pass session_timeout="):
                await left.send(b"x", session=True)


@pytest.mark.parametrize("name", ["Connection", "Listener", "Subscription", "plain.PlainConnection", "plain.PlainListener"])
def test_the_twins_have_the_same_methods_and_arguments(name):
    ours, theirs = operator.attrgetter(name)(arraywire), operator.attrgetter(name)(aio)
    for method in (each for each in dir(ours) if not each.startswith("_")):
        one, other = getattr(ours, method), getattr(theirs, method, None)
        assert other is not None, f"{name}.{method} has no twin"
        if callable(one):
            expected = list(inspect.signature(one).parameters.items())
            found = list(inspect.signature(other).parameters.items())
            assert [(a, b.default, b.kind) for a, b in found] == [(a, b.default, b.kind) for a, b in expected], method
            waits = inspect.iscoroutinefunction(other) or inspect.isasyncgenfunction(other)
            assert waits or method in ("close", "close_now", "end_output"), method


def test_the_twins_take_the_same_options():
    from arraywire._options import Options

    for name in ("connect", "listen"):
        own = set(inspect.signature(getattr(arraywire, name)).parameters)
        twin = set(inspect.signature(getattr(aio, name)).parameters) - {"options"} | set(Options._fields)
        assert own <= twin, own - twin


# --- Plain mode ---


@run
async def test_plain_mode_both_ways():
    async with await aio.plain.listen("localhost:0", "float") as listener:
        left, right = await asyncio.gather(aio.plain.connect(listener.address, "float"), listener.accept(10))
        for count in (0, 1, 1000, 70_000, 3_000_000):
            sent = numpy.arange(count, dtype="f4")
            _, got = await asyncio.gather(left.send(sent, timeout=30), right.receive(30))
            assert numpy.array_equal(got, sent) and got.dtype == "f4"
            room = numpy.zeros(count + 1, "f4")
            _, found = await asyncio.gather(right.send(sent, timeout=30), left.receive_into(room, 30))
            assert found == count and numpy.array_equal(room[:count], sent)
        with pytest.raises(TimeoutError, match="no array came in time"):
            await left.receive(0.05)
        await right.send(numpy.zeros(5, "f4"))
        with pytest.raises(arraywire.TargetMismatchError, match="waits for the next receive"):
            await left.receive_into(numpy.zeros(4, "f4"), 10)
        assert len(await left.receive(10)) == 5
        left.end_output()
        assert [each async for each in right] == []
        await right.send(numpy.ones(3, "f4"))
        assert (await left.receive(10)).tolist() == [1, 1, 1]  # one direction has ended, the other one goes on
        await asyncio.gather(left.close(), right.close())


@run
async def test_plain_mode_stops_reading_when_nobody_takes_anything():
    async with await aio.plain.listen("localhost:0", "double") as listener:
        left, right = await asyncio.gather(aio.plain.connect(listener.address, "double"), listener.accept(10))
        chunk, sent = numpy.zeros(1 << 15), 0
        with pytest.raises(TimeoutError, match="could not leave in time"):
            while True:
                assert sent < 1000  # 250 MiB would be far beyond what the system keeps
                await left.send(chunk, timeout=0.5)
                sent += 1
        assert len(right._core.inbox) < 20
        taken = 0
        with pytest.raises(arraywire.ConnectionLostError, match="inside an array"):  # the last send was broken off
            while True:
                assert len(await right.receive(10)) == 1 << 15
                taken += 1
        assert taken == sent
        right.close_now()


@run
async def test_plain_mode_with_a_sync_peer():
    loop = asyncio.get_running_loop()
    async with await aio.plain.listen("localhost:0", "int") as listener:
        sync = await loop.run_in_executor(None, arraywire.plain.connect, listener.address, "int")
        async for right in listener:
            break
        with sync:
            await loop.run_in_executor(None, sync.send, numpy.arange(10, dtype="i4"))
            assert (await right.receive(10)).tolist() == list(range(10))
            async with right:
                await right.send(numpy.arange(3, dtype="i4"))
                assert (await loop.run_in_executor(None, sync.receive, 10)).tolist() == [0, 1, 2]
                closing = loop.run_in_executor(None, sync.close)
            await closing


# --- Sessions ---


@contextlib.asynccontextmanager
async def in_session(seconds=30, **options):
    async with await aio.listen("localhost:0", session_timeout=seconds, **options) as listener:
        cable = Cable(listener.address)
        try:
            async with await aio.connect(cable.address, session_timeout=seconds) as left:
                yield left, listener, cable
        finally:
            cable.close()


async def until(condition):
    end = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < end
        await asyncio.sleep(0.001)


@run
async def test_sends_and_receives_go_on_when_connections_break():
    async with in_session() as (left, listener, cable):
        right = await listener.accept(10)

        async def take():
            return [int((await right.receive(30))[0]) for _ in range(200)]

        taking = asyncio.ensure_future(take())
        for i in range(200):
            if i % 20 == 10:
                cable.cut()
            await left.send(numpy.array([i]), session=True, timeout=30)
        assert await taking == list(range(200)) and cable.count > 5
        cable.cut()
        back = numpy.array([7.0])
        _, got = await asyncio.gather(right.send(back, session=True, timeout=30), left.receive(30))
        assert got.tolist() == [7.0] and left.open and right.open
        message = asyncio.ensure_future(right.receive_message(30))
        await left.send(b"x", session=True, timeout=30)
        assert (await message).connection is right


@run
async def test_a_handler_gets_each_array_once_whatever_breaks():
    got = []
    slow = asyncio.Event()

    async def handler(message):
        got.append(message.tag)
        if message.tag == 3:
            cable.cut()  # the acknowledgement has no way
            await slow.wait()
        if message.tag == 5:
            cable.cut()
            raise ValueError("not this one")

    async with in_session(handler=handler) as (left, listener, cable):
        for tag in range(1, 9):
            sending = asyncio.ensure_future(left.send(numpy.zeros(3), tag=tag, session=True, timeout=30))
            if tag == 3:
                await until(lambda: cable.count > 1)
                slow.set()
            if tag == 5:
                with pytest.raises(arraywire.RejectedError, match="not this one"):
                    await sending
            else:
                await sending
        assert got == list(range(1, 9))


@run
async def test_an_array_that_is_cut_off_in_the_middle_is_sent_again():
    async with in_session() as (left, listener, cable):
        right = await listener.accept(10)
        cable.most = 1_000_000
        cable.cut()
        sent, room = numpy.arange(1_000_000), numpy.zeros(1_000_000, "i8")
        both = asyncio.gather(right.receive_into(room, 30), left.send(sent, session=True, timeout=30))
        await until(lambda: cable.count >= 3)
        cable.most = None
        await both
        assert (room == sent).all()


@run
async def test_what_waits_is_told_when_a_session_is_not_replaced_in_time():
    async with in_session(seconds=0.3) as (left, listener, cable):
        right = await listener.accept(10)
        half = asyncio.ensure_future(left.send(b"left, and not taken", session=True))
        await until(lambda: right._core.inbound(0).inbox)
        cable.plugged.clear()
        cable.cut()
        with pytest.raises(arraywire.DeliveryUnknownError, match="the session ended before the acknowledgement"):
            await half
        for late in (right.receive(), left.send(b"x", session=True), left.call(b"x")):
            with pytest.raises(arraywire.ConnectionLostError) as caught:
                await late
            assert caught.value.code is arraywire.ErrorCode.SESSION_EXPIRED
        assert not left.open and not right.open
        left.close_now()


@run
async def test_timeouts_give_the_memory_back_and_the_session_goes_on():
    async with in_session() as (left, listener, cable):
        right = await listener.accept(10)
        values = numpy.ones(5)
        with pytest.raises(TimeoutError, match="may or may not"):
            await left.send(values, session=True, timeout=0.1)  # nobody takes it
        values[:] = 2
        assert (await right.receive(10)).tolist() == [1.0] * 5
        cable.plugged.clear()
        cable.cut()
        await until(lambda: left._session.core is None)
        with pytest.raises(TimeoutError, match="withdrawn"):
            await left.send(values, session=True, timeout=0.1)
        with pytest.raises(TimeoutError):
            await left.receive(0.05)
        with pytest.raises(TimeoutError, match="no other one came"):
            await left.call(values, 0.05)
        cable.plugged.set()
        _, got = await asyncio.gather(left.send(values, session=True, timeout=10), right.receive(10))
        assert got.tolist() == [2.0] * 5


@run
async def test_a_listener_that_does_not_know_the_session_refuses_it():
    async with in_session() as (left, listener, cable):
        await listener.accept(10)
        async with await aio.listen("localhost:0", session_timeout=30) as other:
            cable.target = ("localhost", int(other.address.rpartition(":")[2]))
            cable.cut()
            with pytest.raises(arraywire.ConnectionLostError) as caught:
                await left.receive(30)
            assert caught.value.code is arraywire.ErrorCode.RESUME_REJECTED
        left.close_now()


@run
async def test_requests_are_answered_by_the_link_that_they_came_by():
    hold = asyncio.Event()

    async def answer(request):
        if request.tag == 1:
            await hold.wait()
        return request.array

    async with in_session(answer=answer) as (left, listener, cable):
        asking = asyncio.ensure_future(left.call(numpy.arange(3), 30, tag=1))
        await until(lambda: left._core.requests._pending and left._core.writer.idle)
        cable.cut()
        with pytest.raises(arraywire.ConnectionLostError):
            await asking
        hold.set()
        assert (await left.call(numpy.arange(3), 30)).array.tolist() == [0, 1, 2]
        left.close_now()


@pytest.mark.parametrize("transport, codec", [("nio", "direct"), ("stream", "buffer-view-le")])
def test_sessions_against_java(java, transport, codec):
    peer = java("serve", transport, codec)

    async def keep():
        cable = Cable(peer.address)
        async with await aio.connect(cable.address, session_timeout=60) as left:
            for i in range(100):
                if i % 20 == 10:
                    cable.cut()
                await left.send(numpy.array([i]), tag=888, session=True, timeout=60)
            assert cable.count > 5
        cable.close()

    async def be_kept():
        got = []

        async def handler(message):
            got.append(int(message.array[0]))
            if len(got) % 20 == 10:
                cable.cut()

        async with await aio.listen("localhost:0", handler, session_timeout=60) as listener:
            cable = Cable(listener.address)
            program = java("keep", transport, codec, cable.address.rpartition(":")[2], 100)
            await asyncio.get_running_loop().run_in_executor(None, program.line, "kept 100")
            assert got == list(range(100)) and cable.count > 5
            cable.close()

    asyncio.run(keep())
    asyncio.run(be_kept())


@pytest.mark.parametrize("transport, codec", [("nio", "direct"), ("stream", "buffer-view-le")])
def test_java_asks_and_follows_the_twin(java, transport, codec):
    async def serve():
        loop = asyncio.get_running_loop()

        async def answer(request):
            return request.array * 2

        async with await aio.listen("localhost:0", answer=answer) as listener:
            program = java("ask", transport, codec, listener.address.rpartition(":")[2], 2000)
            await loop.run_in_executor(None, program.line, "answered 2000")
        async with await aio.listen("localhost:0") as listener:
            program = java("follow", transport, codec, listener.address.rpartition(":")[2], 50)
            await loop.run_in_executor(None, program.line, "subscribed")
            for i in range(1, 51):
                assert await listener.publish("ticks", numpy.array([float(i)]), tag=i) == 1
            await loop.run_in_executor(None, program.line, "followed 50")

    asyncio.run(serve())


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
