// Draws the page: the figures are in the element "figures", once, and each figure element names its chart by number.
"use strict";
(function () {
  const data = JSON.parse(document.getElementById("figures").textContent);
  const all = new Set(data.contenders.map((each, i) => i));
  let chosen = null; // null: everybody, and in charts of lines the few that the report names
  const plots = [];
  const dark = window.matchMedia("(prefers-color-scheme: dark)");

  function element(parent, name, className, text) {
    const made = document.createElement(name);
    if (className) { made.className = className; }
    if (text !== undefined) { made.textContent = text; }
    parent.appendChild(made);
    return made;
  }

  // Three digits that count.
  function plain(value) {
    if (value === 0) { return "0"; }
    const digits = Math.max(0, Math.min(9, 2 - Math.floor(Math.log10(Math.abs(value)))));
    return value >= 1000
      ? Math.round(value).toLocaleString("en-US")
      : String(Number(value.toFixed(digits)));
  }

  function unit(value, name) {
    if (name !== "us") { return plain(value); }
    return value < 1e3 ? plain(value) + " us" : value < 1e6 ? plain(value / 1e3) + " ms" : plain(value / 1e6) + " s";
  }

  // Bars, which are rows of text with a coloured strip.

  function scale(rows) {
    const values = rows.map(row => row.v);
    const most = 1.5 * Math.max(...values);
    const least = Math.min(...values) / 1.5;
    // Short bars would not be seen on a linear scale.
    const wide = Math.max(...values) / Math.min(...values) > 40;
    const at = wide
      ? value => Math.log(value / least) / Math.log(most / least)
      : value => value / most;
    return { wide, at: value => 100 * Math.max(0, Math.min(1, at(Math.max(value, least / 1e6)))) };
  }

  function drawBars(place, chart) {
    place.replaceChildren();
    const rows = chart.rows.filter(row => chosen === null || chosen.has(row.c));
    if (rows.length === 0) {
      element(place, "p", "soft", "None of the chosen contenders took part.");
      return;
    }
    // A bar whose interval says nothing is left out: a line below the chart names it.
    const drawn = rows.filter(row => row.drawn);
    const places = drawn.length === 0 ? null : scale(drawn);
    if (places !== null) { element(place, "p", "soft", chart.axis + (places.wide ? ", logarithmic" : "")); }
    drawn.sort((a, b) => b.v - a.v).forEach(row => {
      const bar = element(place, "div", "bar");
      bar.tabIndex = 0;
      element(bar, "span", "name", data.contenders[row.c].name);
      const track = element(bar, "span", "track");
      const fill = element(track, "span", "fill");
      fill.style.width = places.at(row.v) + "%";
      fill.style.background = data.contenders[row.c].color;
      if (row.lo !== null) {
        const range = element(track, "span", "range");
        range.style.left = places.at(row.lo) + "%";
        range.style.width = Math.max(0.3, places.at(row.hi) - places.at(row.lo)) + "%";
      }
      if (chart.reference !== null) {
        element(track, "span", "one").style.left = places.at(chart.reference) + "%";
      }
      element(bar, "span", row.noisy ? "words noisy" : "words", row.words);
      const tell = event => showTip(event, chart, row);
      bar.addEventListener("mousemove", tell);
      bar.addEventListener("focus", tell);
      bar.addEventListener("click", tell);
      bar.addEventListener("mouseleave", hideTip);
      bar.addEventListener("blur", hideTip);
    });
    const more = element(place, "details", "all");
    element(more, "summary", "", "All figures");
    const table = element(element(more, "div", "wide"), "table");
    const head = element(element(table, "thead"), "tr");
    chart.columns.forEach(column => { element(head, "th", "", column).scope = "col"; });
    const body = element(table, "tbody");
    rows.forEach(row => {
      const line = element(body, "tr");
      element(line, "td", "", data.contenders[row.c].name);
      row.cells.forEach((cell, i) => {
        element(line, "td", row.noisy && chart.columns[i + 1] === "spread" ? "noisy" : "", cell);
      });
    });
  }

  let tip = null;

  function hideTip() {
    if (tip !== null) { tip.remove(); tip = null; }
  }

  function showTip(event, chart, row) {
    hideTip();
    tip = element(document.body, "div", "tip");
    element(tip, "strong", "", data.contenders[row.c].name);
    row.cells.forEach((cell, i) => { element(tip, "div", "", chart.columns[i + 1] + ": " + cell); });
    const box = event.currentTarget.getBoundingClientRect();
    const x = event.clientX || box.left + box.width / 2;
    const y = event.clientY || box.bottom;
    tip.style.left = Math.max(4, Math.min(x + 14, window.innerWidth - tip.offsetWidth - 4)) + "px";
    tip.style.top = Math.max(4, Math.min(y + 14, window.innerHeight - tip.offsetHeight - 4)) + "px";
  }

  // Lines, which uPlot draws; its legend is text and shows the figures at the cursor.

  // Powers of ten, and between them where there are few; even steps where there is not even one.
  function marks(min, max) {
    const found = [];
    const digits = Math.log10(max / min) > 2 ? [1] : [1, 2, 5];
    for (let decade = Math.floor(Math.log10(min)); decade <= Math.log10(max); decade++) {
      digits.map(digit => digit * Math.pow(10, decade)).filter(at => at >= min && at <= max).forEach(at => found.push(at));
    }
    return found.length > 1 ? found : [0, 1, 2, 3, 4].map(i => min + i * (max - min) / 4);
  }

  function drawLines(place, chart, paper) {
    const old = plots.findIndex(each => each.place === place);
    if (old >= 0) { plots[old].plot.destroy(); plots.splice(old, 1); }
    place.replaceChildren();
    const css = getComputedStyle(document.documentElement);
    const ink = paper ? "#1a1a1a" : css.getPropertyValue("--ink").trim();
    const rule = paper ? "#d9d9d9" : css.getPropertyValue("--rule").trim();
    const rows = chart.rows.filter(row => chosen === null || chosen.has(row.c));
    if (rows.length === 0) {
      element(place, "p", "soft", "None of the chosen contenders took part.");
      return;
    }
    const width = Math.max(280, place.clientWidth || 640);
    const ticks = chart.ticks;
    const shown = row => chosen !== null || chart.main.includes(row.c);
    const axis = { stroke: ink, grid: { stroke: rule, width: 1 }, ticks: { stroke: rule, width: 1 } };
    const step = Math.ceil(ticks.length * 60 / width);
    const span = chart.x[chart.x.length - 1] - chart.x[0] || 1;
    const options = {
      width: width,
      height: Math.max(300, Math.min(440, Math.round(width * 0.55))),
      scales: {
        x: { time: false, range: [chart.x[0] - 0.03 * span, chart.x[chart.x.length - 1] + 0.03 * span] },
        y: { distr: 3, range: (u, min, max) => [(min || 1) / 1.15, (max || 1) * 1.15] }
      },
      axes: [
        Object.assign({
          label: chart.xTitle, labelSize: 22, size: 34,
          splits: () => ticks.filter((tick, i) => i % step === 0).map(tick => tick.at),
          values: (u, splits) => splits.map(at => (ticks.find(tick => tick.at === at) || { label: "" }).label)
        }, axis),
        Object.assign({
          size: 74,
          splits: (u, axis, min, max) => marks(min, max),
          filter: (u, splits) => splits,
          values: (u, splits) => splits.map(value => value === null ? "" : unit(value, chart.unit))
        }, axis)
      ],
      focus: { alpha: 0.25 },
      cursor: { focus: { prox: 24 }, drag: { x: false, y: false } },
      legend: { live: true },
      series: [{
        label: chart.xTitle,
        value: (u, value, series, index) =>
          index === null || index === undefined ? "-" : chart.labels[index]
      }].concat(rows.map(row => ({
        label: data.contenders[row.c].name,
        stroke: data.contenders[row.c].color,
        dash: data.contenders[row.c].dash,
        width: 2,
        show: shown(row),
        spanGaps: true,
        points: { show: chart.points, size: 6 },
        value: (u, value) => value === null || value === undefined ? "-" : unit(value, chart.unit)
      })))
    };
    element(place, "p", "soft", chart.yTitle);
    const plot = new uPlot(options, [chart.x].concat(rows.map(row => row.y)), place);
    if (chosen === null && rows.some(row => !shown(row))) {
      element(place, "p", "soft", "Names that are pale are hidden: press one to show its line.");
    }
    plots.push({ place: place, plot: plot });
  }

  function draw(paper) {
    hideTip();
    document.querySelectorAll("figure[data-chart]").forEach(figure => {
      const chart = data.charts[Number(figure.dataset.chart)];
      let place = figure.querySelector(".plot");
      if (place === null) { place = element(figure, "div", "plot"); }
      if (chart.kind === "bars") { drawBars(place, chart); } else { drawLines(place, chart, paper === true); }
    });
    document.documentElement.dataset.drawn = String(document.querySelectorAll("figure[data-chart] .plot > *:last-child").length);
  }

  // What is chosen.

  const question = document.getElementById("question");
  const boxes = Array.from(document.querySelectorAll(".names input"));

  function choose() {
    const ticked = new Set(boxes.filter(box => box.checked).map(box => Number(box.value)));
    chosen = ticked.size === all.size ? null : ticked;
    document.getElementById("how-many").textContent =
      chosen === null ? "all" : chosen.size + " of " + all.size;
    draw();
  }

  function ask() {
    document.querySelectorAll("section.question").forEach(section => {
      section.hidden = question.value !== "" && section.dataset.question !== question.value;
    });
    // A heading without anything below it says nothing.
    document.querySelectorAll("section.run, section.file").forEach(section => {
      const below = section.querySelectorAll("section.question");
      section.hidden = below.length > 0 && Array.from(below).every(each => each.hidden);
    });
    // Nor does a link that leads nowhere.
    links.forEach(link => { link.parentElement.hidden = hiddenBy(link.hash) !== null; });
    draw();
  }

  const links = document.querySelectorAll(".contents a");

  /** The section that is hidden and has what an address leads to; null if it can be seen. */
  function hiddenBy(hash) {
    const target = hash.length < 2 ? null : document.getElementById(hash.slice(1));
    return target === null ? null : target.closest("section[hidden]");
  }

  // An address from elsewhere may lead to what is hidden.
  window.addEventListener("hashchange", () => {
    if (hiddenBy(location.hash) !== null) {
      question.value = "";
      ask();
      document.getElementById(location.hash.slice(1)).scrollIntoView();
    }
  });

  question.addEventListener("change", ask);
  boxes.forEach(box => box.addEventListener("change", choose));
  document.getElementById("all").addEventListener("click", () => {
    boxes.forEach(box => { box.checked = true; });
    choose();
  });
  document.getElementById("none").addEventListener("click", () => {
    boxes.forEach(box => { box.checked = false; });
    choose();
  });
  document.querySelector(".controls").hidden = false;

  let later = 0;
  let width = window.innerWidth;
  window.addEventListener("resize", () => {
    if (window.innerWidth === width) { return; } // A phone hides its address bar.
    width = window.innerWidth;
    clearTimeout(later);
    later = setTimeout(draw, 150);
  });
  window.addEventListener("scroll", hideTip, { passive: true });
  dark.addEventListener("change", () => draw());
  window.addEventListener("beforeprint", () => {
    draw(true);
    document.querySelectorAll("details.all").forEach(each => { each.open = true; });
  });
  window.addEventListener("afterprint", () => draw());
  draw();
})();
