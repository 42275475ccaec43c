package io.arraywire.examples.soak;

import java.util.List;

/** The samples of a soak, and what went the wrong way. */
record SoakResult(List<SoakLine> lines) {
  /**
   * Lines that nothing but the soak itself explains. A rate falls where the machine has other work,
   * and the yardstick falls with it. So a rate is wrong if its ratio to the yardstick has fallen,
   * too. A ratio that falls alone is right: the yardstick got faster, and clients that do so much a
   * second do not.
   */
  List<SoakLine> wrong() {
    return lines.stream().filter(this::isWrong).toList();
  }

  private boolean isWrong(SoakLine line) {
    return switch (line.series()) {
      case PROCESSORS, RATIO, YARDSTICK -> false;
      case RATE -> line.isWrong() && ratio(line.name()).isWrong();
      default -> line.isWrong();
    };
  }

  private SoakLine ratio(String name) {
    return lines.stream()
        .filter(line -> line.series() == SoakSeries.RATIO && line.name().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
