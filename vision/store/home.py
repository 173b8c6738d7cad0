"""The home folder: where everything that runs live keeps its things."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Self

from vision.bus.address import Address
from vision.bus.envelope import checked_table

VARIABLE: Final = "FELTWATCH_HOME"


@dataclass(frozen=True, slots=True)
class Home:
    """The paths in a home folder; nothing is made by asking for one."""

    folder: Path

    @classmethod
    def find(cls, given: Path | None = None) -> Self:
        """Return the home: the given folder, else $FELTWATCH_HOME, else `~/.local/share/feltwatch`."""
        named = os.environ.get(VARIABLE)
        folder = given or (Path(named) if named else Path.home() / ".local" / "share" / "feltwatch")
        return cls(folder.expanduser().absolute())

    @property
    def store(self) -> Path:
        """Return the file of the store."""
        return self.folder / "feltwatch.sqlite"

    @property
    def keys(self) -> Path:
        """Return the folder of the keys of the bus."""
        return self.folder / "keys"

    @property
    def clips(self) -> Path:
        """Return the folder of the films and stills of alerts."""
        return self.folder / "clips"

    @property
    def cuts(self) -> Path:
        """Return the folder of films of whole rounds, which can be cut again while the footage lasts."""
        return self.folder / "cuts"

    @property
    def holds(self) -> Path:
        """Return the folder of evidence that is kept for ever."""
        return self.folder / "holds"

    @property
    def evidence_key(self) -> Path:
        """Return the file of the key that signs evidence."""
        return self.keys / "evidence.pem"

    def bus(self, table: str) -> Address:
        """Return where a table is told to this machine."""
        return Address.of_socket(self.folder / "bus" / f"{checked_table(table)}.ipc")

    def footage(self, table: str) -> Path:
        """Return the folder of a table's footage."""
        return self.folder / "footage" / checked_table(table)

    def lock(self, table: str) -> Path:
        """Return the file that the one watcher of a table locks."""
        return self.folder / "locks" / f"{checked_table(table)}.lock"
