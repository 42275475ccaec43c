"""Streams a simulation in Java into NumPy and draws it: a script for a notebook, whose cells begin with ``# %%``.

    java -cp examples/target/arraywire-examples-0.1.0-SNAPSHOT.jar io.arraywire.examples.HeatSimulation localhost:4711
    python python/examples/simulation.py localhost:4711 plate.png

Java computes how heat spreads on a plate and sends every hundredth step while it goes on. Matplotlib draws them if it is
installed and a file is named; without it the script prints what it sees.
"""

# %% Where the simulation listens, and where the picture goes
import sys

import numpy as np

import arraywire

address = sys.argv[1] if len(sys.argv) > 1 else "localhost:4711"
picture = sys.argv[2] if len(sys.argv) > 2 else None

# %% The plate at the beginning: a hot disc, and an edge that stays at 20 degrees
rows, columns = 200, 300
y, x = np.ogrid[:rows, :columns]
plate = np.full((rows, columns), 20, "f4")
plate[(y - 100) ** 2 + (x - 120) ** 2 < 50**2] = 100

# %% Let Java compute 2000 steps; each frame is a NumPy array of the same shape, as soon as Java has it
steps, every = 2000, 100
frames = []
with arraywire.connect(address) as connection:
    connection.send(plate, metadata={"steps": str(steps), "every": str(every)})
    for _ in range(steps // every):
        message = connection.receive_message(timeout=60)
        frames.append(message.array)
        print(f"step {message.tag}: {message.array.max():.1f} degrees at most, {message.array.mean():.2f} on average")

# %% What it looks like
if picture:
    try:
        import matplotlib
    except ImportError:
        sys.exit("pip install matplotlib draws the picture")
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(1, 4, figsize=(14, 3), constrained_layout=True)
    for panel, step in zip(axes, (0, steps // every // 4, steps // every // 2, steps // every - 1)):
        shown = panel.imshow(frames[step], vmin=20, vmax=100, cmap="inferno")
        panel.set_title(f"step {(step + 1) * every}")
    figure.colorbar(shown, ax=axes, label="degrees")
    figure.savefig(picture)
    print("drawn to", picture)
