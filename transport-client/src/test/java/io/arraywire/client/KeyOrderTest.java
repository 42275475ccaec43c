package io.arraywire.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.arraywire.ArraywireException;
import io.arraywire.ConnectFailedException;
import io.arraywire.Handlers;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class KeyOrderTest {
  private static final int KEYS = 3_000;

  private static Endpoint endpoint(String name) {
    Dialer dialer =
        handlers -> {
          throw new ConnectFailedException("nobody connects here");
        };
    Handlers handlers =
        Handlers.ofArrays((connection, array) -> {
          throw ArraywireException.refusal("no");
        });
    return new Endpoint(
        name, dialer, handlers, 1, new BackOff(1, 1, 1, 1), new ManualRuntime(), () -> {});
  }

  private static List<Endpoint> endpoints(String... names) {
    return List.of(names).stream().map(KeyOrderTest::endpoint).toList();
  }

  private static List<String> order(String key, List<Endpoint> all) {
    return new KeyOrder(key).of(all).stream().map(each -> each.name).toList();
  }

  /** Clients of other versions and in other languages find the same address. */
  @Test
  void theHashNeverChanges() {
    assertThat(KeyOrder.hash("")).isEqualTo(hash(""));
    assertThat(KeyOrder.hash("user-17")).isEqualTo(hash("user-17"));
    assertThat(KeyOrder.hash("ü")).isEqualTo(hash("ü"));
  }

  /** FNV-1a and SplitMix64 once more, with numbers that cannot overflow. */
  private static long hash(String text) {
    BigInteger all = BigInteger.ONE.shiftLeft(64);
    BigInteger hash = new BigInteger("cbf29ce484222325", 16);
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      hash =
          hash.xor(BigInteger.valueOf(each & 0xff))
              .multiply(new BigInteger("100000001b3", 16))
              .mod(all);
    }
    hash = step(hash, 30, "bf58476d1ce4e5b9", all);
    hash = step(hash, 27, "94d049bb133111eb", all);
    return hash.xor(hash.shiftRight(31)).longValue();
  }

  private static BigInteger step(BigInteger z, int shift, String factor, BigInteger all) {
    return z.xor(z.shiftRight(shift)).multiply(new BigInteger(factor, 16)).mod(all);
  }

  @Test
  void theOrderOfTheBuilderMakesNoDifference() {
    List<Endpoint> all = endpoints("a:1", "b:1", "c:1");
    List<Endpoint> turned = new ArrayList<>(all);
    Collections.reverse(turned);
    for (int i = 0; i < 100; i++) {
      assertThat(order("key " + i, all)).isEqualTo(order("key " + i, turned));
    }
  }

  @Test
  void anAddressThatIsGoneMovesItsOwnKeysOnly() {
    List<Endpoint> all = endpoints("a:1", "b:1", "c:1");
    for (int i = 0; i < KEYS; i++) {
      List<String> before = new ArrayList<>(order("key " + i, all));
      before.remove("b:1");
      assertThat(order("key " + i, List.of(all.get(0), all.get(2)))).isEqualTo(before);
    }
  }

  @Test
  void keysAreSpreadEvenly() {
    List<Endpoint> all = endpoints("10.0.0.1:4711", "10.0.0.2:4711", "10.0.0.3:4711");
    Map<String, Integer> first = new TreeMap<>();
    for (int i = 0; i < KEYS; i++) {
      first.merge(order("key " + i, all).get(0), 1, Integer::sum);
    }
    assertThat(first).hasSize(3);
    // Four standard deviations from a third.
    assertThat(first.values()).allSatisfy(count -> assertThat(count).isBetween(897, 1_103));
  }
}
