"""``python -m skate_sim`` is the command ``skate-sim``."""

from skate_sim.cli import main

if __name__ == "__main__":
    main(prog_name="skate-sim")
