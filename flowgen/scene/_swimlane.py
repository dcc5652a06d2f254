"""Which form a flow is drawn in: two lanes with the JSON between them, or narrow lanes with a column of messages."""

from flowgen.errors import UsageError
from flowgen.flow import Flow

from ._look import duo_look, ledger_look
from ._options import Options
from ._shapes import Scene


def swimlane(flow: Flow, options: Options) -> Scene:
    """The swim lane of a flow: with two lanes the duo unless the ledger is asked for, with more always the ledger.

    Raises UsageError where the duo is asked for and there are more lanes.
    """
    many = len(flow.lanes) > 2
    if many and options.form == "duo":
        raise UsageError(
            f"the form duo has two lanes, and {len(flow.lanes)} participants have something to say",
            "--form ledger draws all of them; --hide note leaves out what only the recorder knows",
        )
    if many or options.form == "ledger":
        from ._ledger import ledger

        return ledger(flow, ledger_look(flow, options))
    from ._duo import duo

    return duo(flow, duo_look(flow, options))
