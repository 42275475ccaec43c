package io.arraywire.benchmarks.report;

import org.knowm.xchart.XYChart;

/**
 * A chart of a report.
 *
 * @param name of its files, without ending
 * @param caption what it says, for who cannot see it
 * @param chart the chart
 */
record Figure(String name, String caption, XYChart chart) {}
