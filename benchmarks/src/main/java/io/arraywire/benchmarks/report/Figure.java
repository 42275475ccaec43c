package io.arraywire.benchmarks.report;

import org.knowm.xchart.XYChart;

/**
 * A chart as a picture, for pages that run no script.
 *
 * @param name of its file, without ending
 * @param chart the chart
 */
record Figure(String name, XYChart chart) {}
