"""The numbers of messages: each stands once. Those that follow each other take no room."""

from bisect import bisect_right

from flowgen.errors import TraceError

from ._faults import shown

_DIGITS = 20  # of a number that may be one of a message
_HINT = "number the messages 1, 2, 3 … in the order seen"


class Numbers:
    """Takes `seq` numbers in the order of their messages, and knows them."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.count = 0
        self._starts: list[int] = []  # of rows of numbers that follow each other, each row above the last one,
        self._ends: list[int] = []  # the number behind the last of each row,
        self._places: list[int] = []  # and the place of its first message
        self._follows = False  # whether the last message is the last of the last row
        self._others: dict[int, int] = {}  # what came below the rows that were there, with its place

    def __contains__(self, number: str) -> bool:
        """Whether a message has the number that is written here."""
        whole = number.isascii() and number.removeprefix("-").isdigit() and len(number) <= _DIGITS
        return whole and str(int(number)) == number and self._place(int(number)) is not None

    def take(self, seq: int) -> None:
        """One message more. Raises TraceError if another one has the number."""
        if self._ends and seq == self._ends[-1] and self._follows:
            self._ends[-1] += 1
        else:
            self._begin(seq)
        self.count += 1

    def _begin(self, seq: int) -> None:
        if (place := self._place(seq)) is not None:
            where = f"messages.{self.count}.seq: {shown(seq)} is that of messages.{place} already"
            raise TraceError(f"{self.name}: {where}", _HINT)
        if self._ends and seq < self._ends[-1]:
            self._others[seq] = self.count
            self._follows = False
            return
        self._follows = True
        self._starts.append(seq)
        self._ends.append(seq + 1)
        self._places.append(self.count)

    def _place(self, seq: int) -> int | None:
        """Where the message with a number stands."""
        row = bisect_right(self._starts, seq) - 1
        if row < 0 or seq >= self._ends[row]:
            return self._others.get(seq)
        return self._places[row] + seq - self._starts[row]
