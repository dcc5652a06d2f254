"""One `subscriptions/listen`: what it was granted, and its messages, which all carry its id."""

from ._messages import Message, notification
from ._revisions import Peer
from ._way import Way

SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"


class Listen:
    """A subscription that is open."""

    cancellable = True

    def __init__(self, id: str | int, way: Way, granted: Message, peer: Peer) -> None:
        self.id = id
        self.way = way
        self.granted = granted
        self.peer = peer

    def acknowledge(self) -> None:
        """The first message: what was granted."""
        self.tell("notifications/subscriptions/acknowledged", {"notifications": self.granted})

    def tell(self, method: str, params: Message) -> None:
        """Send a notification of this subscription."""
        self.way.send(notification(method, {**params, "_meta": {SUBSCRIPTION: self.id}}))

    def end(self, body: Message) -> Message:
        """The result that ends it."""
        return {**body, "_meta": {SUBSCRIPTION: self.id, **body["_meta"]}}

    def wants(self, kind: str) -> bool:
        """Whether it was granted changes of this kind's list."""
        return bool(self.granted.get(f"{kind}ListChanged"))

    def wants_resource(self, uri: str) -> bool:
        """Whether it was granted this resource."""
        return uri in self.granted.get("resourceSubscriptions", [])

    def cancel(self) -> None:
        """Nothing is sent: the client ended it."""
        self.way.answer(None)
