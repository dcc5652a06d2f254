"""Completion for PowerShell, in the manner of click's own three shells: the script asks flowgen for every word."""

import os
import shlex

import click
from click.shell_completion import CompletionItem, ShellComplete, add_completion_class

SHELLS = ("bash", "zsh", "fish", "powershell")

_SCRIPT = """\
Register-ArgumentCompleter -Native -CommandName %(prog_name)s -ScriptBlock {
    param($word, $line, $position)
    $env:%(complete_var)s = "powershell_complete"
    $env:COMP_WORDS = $line.ToString()
    $env:COMP_CWORD = $word
    try {
        %(prog_name)s | ForEach-Object {
            $name, $help = $_ -split "`t", 2
            if (-not $help) { $help = $name }
            [System.Management.Automation.CompletionResult]::new($name, $name, "ParameterValue", $help)
        }
    } finally {
        Remove-Item Env:%(complete_var)s, Env:COMP_WORDS, Env:COMP_CWORD -ErrorAction SilentlyContinue
    }
}
"""


@add_completion_class
class PowerShell(ShellComplete):
    """What click needs to know of a shell."""

    name = "powershell"
    source_template = _SCRIPT

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words already typed, and the one in the making."""
        word = os.environ.get("COMP_CWORD", "")
        words = _split(os.environ.get("COMP_WORDS", ""))[1:]
        return (words[:-1] if word and words else words), word

    def format_completion(self, item: CompletionItem) -> str:
        """One line of the answer."""
        return f"{item.value}\t{item.help}" if item.help else str(item.value)


def _split(line: str) -> list[str]:
    try:
        return shlex.split(line, posix=False)
    except ValueError:  # a quotation that is still being typed
        return line.split()


def script(command: click.Command, shell: str) -> str:
    """The script of a shell out of SHELLS, to be loaded by its profile."""
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    return found(command, {}, "flowgen", "_FLOWGEN_COMPLETE").source()
