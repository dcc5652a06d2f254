"""What two things differ in, whatever was compared: as lines for people, as data, as a table, as a picture of both."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from flowgen.errors import UsageError

if TYPE_CHECKING:
    from flowgen.check import SessionChange
    from flowgen.topology import Change

FORMS = ("text", "json", "md", "svg", "png", "pdf")


class Compared:
    """Two things of one kind and their changes; `names` are what they are called. False where they do not differ."""

    names: tuple[str, str]

    @property
    def changes(self) -> "Sequence[Change | SessionChange]":
        """What changed, in the order in which it should be looked at."""
        raise NotImplementedError

    def drawn(self, form: str, scale: float) -> list[bytes]:
        """The files of the picture of both, as `svg`, `png` or `pdf`."""
        raise NotImplementedError

    def __bool__(self) -> bool:
        return bool(self.changes)

    def text(self) -> str:
        """A line for each change."""
        from flowgen.check import changes_text

        return changes_text(self.changes, self.names)

    def json(self) -> str:
        """The changes as a document (`flowgen.changes/1`)."""
        from flowgen.check import changes_json

        return changes_json(self.changes, self.names)

    def markdown(self) -> str:
        """The changes as a table."""
        from flowgen.check import changes_markdown

        return changes_markdown(self.changes, self.names)

    def files(self, form: str, scale: float = 2.0, out: str | None = None) -> list[bytes]:
        """The files of one of the FORMS. Raises UsageError for another one."""
        if form not in FORMS:
            raise UsageError(f"a difference is not written as {form}", f"known: {', '.join(FORMS)}")
        texts = {"text": self.text, "json": self.json, "md": self.markdown}
        return [texts[form]().encode("utf-8", "replace")] if form in texts else self.drawn(form, scale)
