package io.arraywire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ErrorCodeTest {

  /** Peers of any version read these numbers: add to the list, never change or reuse one. */
  private static final Map<String, Integer> GOLDEN =
      Map.ofEntries(
          Map.entry("BAD_MAGIC", 1),
          Map.entry("UNSUPPORTED_VERSION", 2),
          Map.entry("HEADER_CHECKSUM", 3),
          Map.entry("PAYLOAD_CHECKSUM", 4),
          Map.entry("UNKNOWN_CODE", 5),
          Map.entry("FRAME_TOO_LARGE", 6),
          Map.entry("BAD_LENGTH", 7),
          Map.entry("COUNT_MISMATCH", 8),
          Map.entry("SEQUENCE_GAP", 9),
          Map.entry("MALFORMED_PAYLOAD", 10),
          Map.entry("TRUNCATED", 11),
          Map.entry("PROTOCOL_VIOLATION", 12),
          Map.entry("CREDIT_EXCEEDED", 13),
          Map.entry("CONTROL_FLOOD", 14),
          Map.entry("NEGOTIATION_FAILED", 20),
          Map.entry("AUTHENTICATION_FAILED", 21),
          Map.entry("HANDSHAKE_TIMEOUT", 22),
          Map.entry("RESUME_REJECTED", 23),
          Map.entry("TLS_MISMATCH", 24),
          Map.entry("TLS_FAILED", 25),
          Map.entry("CERTIFICATE_REFUSED", 26),
          Map.entry("CONNECT_FAILED", 30),
          Map.entry("BIND_FAILED", 31),
          Map.entry("CONNECTION_CLOSED", 32),
          Map.entry("CONNECTION_RESET", 33),
          Map.entry("CLOSE_TIMEOUT", 34),
          Map.entry("HEARTBEAT_TIMEOUT", 35),
          Map.entry("SLOW_PEER", 36),
          Map.entry("SEND_TIMEOUT", 37),
          Map.entry("SEND_QUEUE_FULL", 38),
          Map.entry("IDLE_TIMEOUT", 39),
          Map.entry("ARRAY_TOO_LARGE", 40),
          Map.entry("TARGET_MISMATCH", 41),
          Map.entry("REJECTED", 42),
          Map.entry("ALLOCATION_FAILED", 43),
          Map.entry("DELIVERY_UNKNOWN", 44),
          Map.entry("SESSION_EXPIRED", 48),
          Map.entry("SOURCE_FAILED", 49),
          Map.entry("REQUEST_TIMEOUT", 45),
          Map.entry("REQUEST_FAILED", 46),
          Map.entry("TOO_MANY_REQUESTS", 47),
          Map.entry("INTERNAL", 50),
          Map.entry("SLOW_SUBSCRIBER", 51),
          Map.entry("TOO_MANY_SUBSCRIPTIONS", 52),
          Map.entry("MEMORY_BUDGET", 53),
          Map.entry("SLOW_FRAME", 54),
          Map.entry("STALLED_ARRAY", 55),
          Map.entry("NOT_PERMITTED", 56),
          Map.entry("TOO_MANY_CONNECTIONS", 57),
          Map.entry("TOKEN_IN_CLEAR", 58));

  @Test
  void numbersNeverChange() {
    Map<String, Integer> actual =
        Arrays.stream(ErrorCode.values())
            .collect(Collectors.toMap(ErrorCode::name, ErrorCode::number));

    assertThat(actual).isEqualTo(GOLDEN);
  }

  @Test
  void numbersAreUniqueAndFitAnErrorFrame() {
    assertThat(ErrorCode.values())
        .extracting(ErrorCode::number)
        .doesNotHaveDuplicates()
        .allMatch(number -> number >= 1 && number <= 0xffff);
  }

  @Test
  void aNumberLeadsToItsCodeAndAnyOtherToNone() {
    for (int number = -10; number <= 0x10000; number++) {
      ErrorCode code = ErrorCode.fromNumber(number);
      if (GOLDEN.containsValue(number)) {
        assertThat(code).isNotNull().extracting(ErrorCode::number).isEqualTo(number);
      } else {
        assertThat(code).as("code of %d", number).isNull();
      }
    }
  }
}
