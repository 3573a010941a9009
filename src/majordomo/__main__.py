"""`python -m majordomo` is `majordomo`."""

import sys

from majordomo.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
