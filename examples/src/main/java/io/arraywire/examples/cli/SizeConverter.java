package io.arraywire.examples.cli;

import io.arraywire.examples.report.Units;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads sizes on a command line, such as {@code 64M}. */
public final class SizeConverter implements ITypeConverter<Long> {

  /** Makes a converter. */
  public SizeConverter() {}

  @Override
  public Long convert(String value) {
    try {
      return Units.parseBytes(value);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
