"""One call played step by step: it may wait, tell, ask, and answers once. Steps after the answer are played, too.

In the handshake era a question is a request to the client and the call goes on with its answer. In the stateless
era the call is over: its `requestState` holds where it stood, and the retry goes on from there.
"""

from typing import TYPE_CHECKING

from ._answers import answer_of, text_answer, unusable
from ._calculate import CalculationError, calculate
from ._effects import act
from ._messages import INTERNAL, MISSING_CAPABILITY, PARAMS, Message, Refusal, error, notification, result
from ._revisions import Peer, declared, known, needed
from ._scenario import Item
from ._seal import digest, opened, sealed
from ._stamps import stamped
from ._steps import Step
from ._values import Values, filled, fits, text
from ._way import Way

if TYPE_CHECKING:
    from ._server import Server


class Call:
    """A request for an item, from its first step to its last; `method` and `key` say what was asked for."""

    def __init__(self, server: "Server", request: Message, peer: Peer, way: Way, item: Item, values: Values) -> None:
        self.server = server
        self.peer = peer
        self.way = way
        self.item = item
        self.id: str | int | None = request["id"]
        self.method: str = request["method"]
        self.params: Message = request["params"]
        self.values: Values = {"server": {"url": server.world.origin}, **values, "client": peer.client}
        self.given: Values = {}
        self.at = 0
        self.answered = False
        self.over = False
        self.question: int | None = None

    @property
    def cancellable(self) -> bool:
        """Whether the item lets itself be cancelled."""
        return self.item.cancellable

    def begin(self) -> None:
        """Play from the first step, or from where the state of a retry says."""
        state = self.params.get("requestState")
        if state is not None:
            self._resume(opened(state))
        elif "inputResponses" in self.params and self.peer.stateless:
            raise Refusal(PARAMS, "inputResponses came without the requestState that belongs to them")
        self.run()

    def run(self) -> None:
        """Play until a step has to wait, or the last one is done."""
        while not self.over and self.at < len(self.item.steps):
            step = self.item.steps[self.at]
            self.at += 1
            if self._applies(step) and not self._play(step):
                return
        if not self.over:
            self._default_answer()
            self.over = True

    def cancel(self) -> None:
        """Stop without an answer; a question that is still open is taken back."""
        self.over = True
        if self.question is not None:
            self.server.take_back(self.question, self.way)
        self.way.answer(None)

    # The steps -------------------------------------------------------------------------------------------------

    def _applies(self, step: Step) -> bool:
        more = step.more
        era = "stateless" if self.peer.stateless else "handshake"
        if more.get("era", era) != era or not fits(more.get("when", {}), self.values):
            return False
        return self.server.world.may_play(step)

    def _play(self, step: Step) -> bool:
        """Whether the next step may follow at once."""
        match step.action:
            case "wait":
                self.server.later(step.value, self._next)
                return False
            case "visit":
                return self.server.world.visited(step.value, self._next)
            case "ask":
                return self._ask(filled(step.value, self.values))
            case "result":
                self._answer(filled(step.value, self.values))
            case "error":
                self._refuse(filled(step.value, self.values))
            case "progress":
                self._progress(step)
            case "calculate":
                self._calculate(step)
            case _:
                act(self.server, step, self.values, self.peer, self._way_now)
        return True

    def _next(self) -> None:
        if not self.over:
            self.server.attempt(self.id, self.way, self.run)

    def _progress(self, step: Step) -> None:
        token = self.params.get("_meta", {}).get("progressToken")
        if not isinstance(token, (str, int)) or isinstance(token, bool) or self.answered:
            return
        total = {"total": step.more["total"]} if "total" in step.more else {}
        params = {"progressToken": token, "progress": step.value, **total}
        if "message" in step.more:
            params["message"] = text(step.more["message"], {**self.values, "progress": step.value, **total})
        params = known("progress", params, self.peer.revision)
        self.way.send(notification("notifications/progress", params))

    def _calculate(self, step: Step) -> None:
        try:
            self.values[step.more.get("as", "answer")] = calculate(text(step.value, self.values))
        except CalculationError as problem:
            self._fail(f"Cannot calculate that: {problem}.")

    @property
    def _way_now(self) -> Way:
        """Where to tell something: after the answer nobody reads its stream any more, but that of the session."""
        return self.server.way if self.answered and not self.peer.stateless else self.way

    # The answer ------------------------------------------------------------------------------------------------

    def _answer(self, answer: Message) -> None:
        if not self.answered:
            self._finish(answer_of(self, answer))

    def _refuse(self, told: Message) -> None:
        if not self.answered:
            self._end()
            self.way.answer(error(self.id, Refusal(told["code"], told["message"], told.get("data"))))

    def _default_answer(self) -> None:
        if not self.answered:
            self._answer({})

    def _fail(self, words: str) -> None:
        """End the call: as a tool's own error, or as a JSON-RPC error where the method has no such thing."""
        if self.item.kind == "tools":
            self._answer(text_answer(words, failed=True))
        else:
            self._refuse({"code": INTERNAL, "message": words})
        self.over = True

    def _finish(self, body: Message, kind: str = "complete") -> None:
        self._end()
        self.way.answer(result(self.id, stamped(self.server.scenario, self.peer, self.method, body, kind)))

    def _end(self) -> None:
        self.answered = True
        self.server.done(self.id)

    # Questions -------------------------------------------------------------------------------------------------

    def _ask(self, questions: dict[str, Message]) -> bool:
        if self.answered:
            return True
        for question in questions.values():
            need = needed(question["method"], question.get("params", {}))
            if not declared(need, self.peer):
                return self._lacks(need)
        if self.peer.stateless:
            self._require(questions)
            return False
        return self._ask_next(list(questions.items()))

    def _lacks(self, need: Message) -> bool:
        (name, parts), words = next(iter(need.items())), "This needs something that the client did not declare"
        if self.peer.stateless:
            raise Refusal(MISSING_CAPABILITY, words, {"requiredCapabilities": need})
        self._fail(f"{words}: {'.'.join([name, *parts])}.")
        return False

    def _require(self, questions: dict[str, Message]) -> None:
        state = {"of": self._mark(), "at": self.at, "given": self.given}
        inputs = {key: self.server.posed(question, self.peer) for key, question in questions.items()}
        body = {"inputRequests": inputs} if inputs else {}
        self.over = True
        self._finish({**body, "requestState": sealed(state)}, "input_required")

    def _ask_next(self, questions: list[tuple[str, Message]]) -> bool:
        if not questions:
            return True
        (key, question), *rest = questions

        def answered(message: Message) -> None:
            self.question = None
            if self._take(key, question, message) and self._ask_next(rest):
                self._next()

        self.question = self.server.ask(question, self.peer, self.way, answered)
        return False

    def _take(self, key: str, question: Message, message: Message) -> bool:
        """Keep what the client answered; whether the call can go on."""
        if "error" in message:
            told = message["error"].get("message") if isinstance(message["error"], dict) else None
            self._fail(f"The client did not answer {question['method']}: {told or 'no reason given'}.")
            return False
        wrong = unusable(question, message["result"])
        if wrong:
            self._fail(f"The client's answer to {question['method']} cannot be used: {wrong}.")
            return False
        self._keep(key, message["result"])
        return True

    def _keep(self, key: str, answer: Message) -> None:
        """Under its key; what a model said also as `blocks`, for it may be one block or a list of them."""
        self.given[key] = answer
        content = answer.get("content")
        blocks = {"blocks": content if isinstance(content, list) else [content]} if "role" in answer else {}
        self.values[key] = {**answer, **blocks}

    # Retries ---------------------------------------------------------------------------------------------------

    def _mark(self) -> str:
        """What a retry must repeat."""
        return digest([self.method, self.item.key, self.params.get("uri"), self.params.get("arguments", {})])

    def _resume(self, state: Message) -> None:
        if state["of"] != self._mark():
            raise Refusal(PARAMS, "Invalid request state", {"reason": "invalid_request_state"})
        for key, answer in state["given"].items():
            self._keep(key, answer)
        self.at = state["at"]
        self._take_all(filled(self.item.steps[self.at - 1].value, self.values))

    def _take_all(self, questions: dict[str, Message]) -> None:
        answers = self.params.get("inputResponses", {})
        if not isinstance(answers, dict):
            raise Refusal(PARAMS, "Invalid params: inputResponses is no object")
        if any(key not in answers for key in questions):
            self.at -= 1  # asks once more
            return
        for key, question in questions.items():
            wrong = unusable(question, answers[key])
            if wrong:
                raise Refusal(PARAMS, f"Invalid params: inputResponses.{key}: {wrong}")
            self._keep(key, answers[key])


class Reaction(Call):
    """Steps that follow a notification of the client: nobody waits for an answer."""

    def _answer(self, answer: Message) -> None:
        pass

    def _refuse(self, told: Message) -> None:
        pass
