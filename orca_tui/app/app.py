"""The app: keys that count everywhere, colours, and a terminal that is left whole whatever happens."""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from gettext import gettext as _
from typing import Any

from rich.text import Text
from textual import events, on
from textual.binding import BindingsMap
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver
from textual.filter import LineFilter
from textual.screen import Screen

from orca_core.clock import SystemClock
from orca_core.config.config_edit import change_config
from orca_core.config.config_file import FILE_NAME, LoadedSettings
from orca_core.model.errors import OrcaError
from orca_core.model.llm import Clock
from orca_tui.app.bridge import Bridge, Doors, TakesKeys
from orca_tui.app.chat.welcome import Line, first_lines
from orca_tui.app.keymap import Entry, bindings
from orca_tui.app.main import MainScreen
from orca_tui.app.pane import Pane
from orca_tui.app.panes import EVERYWHERE, PANES, THE_TRANSCRIPT, key_groups, known_ids
from orca_tui.app.terminal import TerminalDriver, hang_up_calls
from orca_tui.app.widgets.key_line import KeyLine
from orca_tui.app.widgets.line_list import KeysInOrder
from orca_tui.app.widgets.text import TerminalFilter, literal
from orca_tui.exit_on_signal import EXIT_BY_SIGNAL, leave_at_last
from orca_tui.language import sentence_and_way_out
from orca_tui.log import log_kept, log_what_a_loop_reports
from orca_tui.marks import Marks
from orca_tui.signals import signals_go_to

QUIT_PATIENCE_S = 5.0
SIGNAL_PATIENCE_S = 1.0
LAST_RESORT_S = 4.0
LAST_GATE = TerminalFilter()
AHEAD = (events.Key, events.Paste, events.MouseEvent)
THEMES: Mapping[str, str] = {"auto": "textual-dark", "dark": "textual-dark", "light": "textual-light"}
OF_THE_MAIN_SCREEN = frozenset(
    ("stop_or_back show_pane toggle_side command search_prompts edit_prompt command_palette").split()
)


class OrcaApp(KeysInOrder[int]):
    """One main screen over one Orca."""

    CSS_PATH = "styles/orca.tcss"
    TITLE = "orca"
    ENABLE_COMMAND_PALETTE = False  # its own words are English only

    def __init__(
        self,
        loaded: LoadedSettings,
        marks: Marks,
        doors: Doors,
        clock: Clock | None = None,
        *,
        panes: Sequence[type[Pane]] = PANES,
        commands: Sequence[Entry[Any]] | None = None,
        lines: Sequence[Line] | None = None,
    ) -> None:
        super().__init__()
        self.panes = tuple(panes)
        self.keys = key_groups(panes)
        self._table = commands
        self._lines = first_lines(marks) if lines is None else tuple(lines)
        self._bindings = BindingsMap.merge([self._bindings, BindingsMap(bindings(self.keys[EVERYWHERE]))])
        self.marks = marks
        self.bridge = Bridge(self, loaded, doors, clock or SystemClock())
        self.crash: BaseException | None = None
        self._is_leaving = self._has_ended = False
        self._ended_by: int | None = None
        self._standing_on: asyncio.AbstractEventLoop | None = None
        self._typed_ahead: list[events.Event] | None = []
        ui = loaded.settings.ui
        wanted = THEMES.get(ui.theme, ui.theme)
        self.theme = wanted if wanted in self.available_themes else THEMES["auto"]
        if not ui.motion:
            self.animation_level = "none"
        self.set_keymap({name: keys for name, keys in loaded.settings.keys.items() if name in known_ids(self.keys)})

    def get_default_screen(self) -> Screen[object]:
        return MainScreen(self.bridge, self.marks, self.panes, self._table, self._lines)  # type: ignore[return-value]  # its result is not asked for

    def get_driver_class(self) -> type[Driver]:
        """Textual's own driver of a terminal, which can give it back at any moment; another where one is asked for."""
        wanted = super().get_driver_class()
        return TerminalDriver if wanted is LinuxDriver else wanted

    def get_line_filters(self) -> list[LineFilter]:
        """The last filter before the terminal, after Textual's own. One instance, for its cache of cleaned lines."""
        return [*super().get_line_filters(), LAST_GATE]

    def on_mount(self) -> None:
        log_what_a_loop_reports(asyncio.get_running_loop())

    async def on_event(self, event: events.Event) -> None:
        """Keep what is typed or clicked ahead, in order; Textual would hand it to a screen that knows nothing of it."""
        if self._typed_ahead is not None and isinstance(event, AHEAD) and not event.is_forwarded:
            self._typed_ahead.append(event)
        else:
            await self._acted(event)

    async def _acted(self, event: events.Event) -> None:
        """Clear a note that was read with the next action of the user on its screen."""
        if isinstance(event, events.Key | events.MouseDown) and not event.is_forwarded:
            screen = self.screen_stack[-1] if self.screen_stack else None
            if isinstance(key_line := getattr(screen, "key_line", None), KeyLine):
                key_line.acted()
        await super().on_event(event)

    @on(TakesKeys)
    async def _hand_on_what_was_typed_ahead(self) -> None:
        typed, self._typed_ahead = self._typed_ahead or [], None
        if self._ended_by is not None:
            return  # a dialog would be mounted in an app that closes
        for event in typed:
            await self._acted(event)

    async def on_key(self, event: events.Key) -> None:
        """A letter that nothing took goes to the prompt."""
        event.prevent_default()  # Textual's own handler looks for bindings, too
        if not await self._check_bindings(event.key) and event.is_printable and self.screen is self.main:
            assert event.character is not None
            self.main.begin_message(event.character)

    async def on_ready(self) -> None:
        """Note that the first frame is drawn; make what is not seen in it, and open Orca: their imports alone
        would keep that frame waiting. Before that a screen may be half made, and ending the app would crash it."""
        await self.main.complete()
        self._standing_on = asyncio.get_running_loop()
        if self._ended_by is not None:
            self._leave_for(self._ended_by)
        elif self._is_leaving:
            self._leave()
        else:
            self.bridge.open()

    @property
    def has_started(self) -> bool:
        """Whether the chat that a start goes on in is there."""
        return self.bridge.is_ready and not self.main.turns.state.is_opening

    @property
    def main(self) -> MainScreen:
        screen = self.screen_stack[0]
        assert isinstance(screen, MainScreen)
        return screen

    def action_command_palette(self) -> None:
        """Every command of the prompt, and every key that counts everywhere."""
        from orca_tui.app.commands import palette

        self.push_screen(palette(self.main.commands.words, self.keys[EVERYWHERE]), self._carry_out)

    def _carry_out(self, chosen: str | None) -> None:
        if chosen is None:
            return
        if chosen.startswith("/"):
            self.main.prompt.focus()
            self.call_later(self.main.commands.carry_out, chosen)
        else:
            self.call_later(self.run_action, chosen)

    def action_change_theme(self) -> None:
        """Choose the colours; they are kept."""
        from orca_tui.app.widgets.dialogs import Choice, Pick

        choices = [Choice(name, name) for name in sorted(self.available_themes)]
        self.push_screen(Pick(_("Colours"), choices, hint=_("enter chooses · esc leaves it as it is")), self._paint)

    def _paint(self, theme: str | None) -> None:
        if theme is not None:
            self.theme = theme
            loaded = self.bridge.loaded
            try:
                change_config(loaded.path or loaded.home / FILE_NAME, {"ui.theme": theme})
            except OrcaError as error:
                self.main.note(sentence_and_way_out(error)[0])

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002  # Textual's
        """Keys that belong to the main screen leave those of a dialog alone."""
        return action not in OF_THE_MAIN_SCREEN or isinstance(self.screen, MainScreen)

    def action_stop_or_back(self) -> None:
        self.main.back()

    def action_next_pane(self, step: int) -> None:
        self.main.places.next(step)

    def action_show_pane(self, pane: str) -> None:
        self.main.show_pane(pane)

    def action_toggle_side(self) -> None:
        side = self.main.query_one("#side")
        side.display = not side.display

    async def action_command(self, name: str) -> None:
        await self.main.commands.carry_out(name)

    def action_search_prompts(self) -> None:
        self.main.commands.desk.prompts.search()

    def action_edit_prompt(self) -> None:
        self.main.commands.desk.prompts.edit()

    def action_help(self) -> None:
        from orca_tui.app.commands import help_content
        from orca_tui.app.widgets.dialogs import TextView

        if isinstance(self.screen, TextView):
            return
        words, keys = self.main.commands.words, self.bridge.loaded.settings.keys
        self.push_screen(TextView(_("Keys and commands"), help_content(self.keys, self._focused_group, words, keys)))

    @property
    def _focused_group(self) -> str:
        """The group of keys that counts where the focus is."""
        if (pane := self.main.side.focused) is not None:
            return pane.about.title
        return THE_TRANSCRIPT if self.main.transcript.has_focus_within else EVERYWHERE

    def action_interrupt(self) -> None:
        """Copy what is selected, else stop the answer, else say how to leave."""
        selected = self.screen.get_selected_text()
        if selected:
            self.main.copy(selected)
        elif self.bridge.is_answering:
            self.bridge.stop()
        else:
            self.main.note(_("ctrl+q quits"))

    async def action_quit(self) -> None:
        """Learn what is left of the chat, then leave; a second time leaves at once."""
        if self._standing_on is None:
            self._is_leaving = True
        elif self._is_leaving:
            self._end(0)
        else:
            self._leave()

    def _leave(self) -> None:
        self._is_leaving = True
        if self.bridge.unsaved is None:
            words = _("finishing … ctrl+q again leaves it for the next start")
        else:
            words = _("trying once more to save what was said … ctrl+q again gives it up")
        self.main.note(words, "leaving", stays=True)
        self.bridge.leave(QUIT_PATIENCE_S, lambda: self._end(0))

    def _end(self, status: int) -> None:
        """End the app; what could not be saved is printed after the terminal is restored."""
        if self._has_ended:
            return
        self._has_ended = True
        if self.bridge.unsaved is None:
            self.exit(status, return_code=status)
            return
        reason, _way_out = sentence_and_way_out(self.bridge.unsaved)
        words = _("what was said last is not saved: {reason}").format(reason=reason)
        self.exit(status or 1, return_code=status or 1, message=Text(literal(f"orca: {words}").plain))

    def end_by(self, number: int) -> None:
        """Handle a signal, at any moment; one that comes before the first frame waits for it."""
        if self._ended_by is not None:
            return
        self._ended_by = number
        # A terminal that is gone, or reads no further, blocks whoever still writes to it, for ever: Textual's queue of
        # writes fills, and with it the loop stands. On a busy machine it may only be late.
        leave_at_last(number, LAST_RESORT_S, self._give_terminal_back)
        if self._standing_on is not None and not self._standing_on.is_closed():
            self._standing_on.call_soon_threadsafe(self._leave_for, number)

    def _give_terminal_back(self) -> None:
        if isinstance(self._driver, TerminalDriver):
            self._driver.give_back()

    def _leave_for(self, number: int) -> None:
        self.bridge.leave(SIGNAL_PATIENCE_S, lambda: self._end(EXIT_BY_SIGNAL + number))

    def _handle_exception(self, error: Exception) -> None:
        """Textual keeps the exit status; the caller of the app reports the error."""
        self.crash = self.crash or error
        super()._handle_exception(error)

    def panic(self, *_renderables: object) -> None:
        """Do not draw the error."""
        self._fatal_error()

    def _fatal_error(self) -> None:
        """Textual would print every local variable here, keys among them."""
        self._close_messages_no_wait()


GARBAGE_AFTER_OBJECTS = 10_000


def run_app(loaded: LoadedSettings, marks: Marks, doors: Doors) -> int:
    """Run the app to its end; its exit status. Raises what it crashed of, with the terminal whole again."""
    return run_to_its_end(OrcaApp(loaded, marks, doors))


@contextmanager
def _drawing_where_it_is_seen() -> Iterator[None]:
    """Textual draws on stderr. Where that is a file (`orca 2>log`), or closed, it draws on stdout's terminal."""
    before = sys.__stderr__
    if before is None or before.closed or not before.isatty():
        sys.__stderr__ = sys.__stdout__  # type: ignore[misc]  # it is declared final
    try:
        yield
    finally:
        sys.__stderr__ = before  # type: ignore[misc]  # as above


def _begin_to_collect_garbage() -> None:
    """What a start makes stays to the end: it is not looked through again and again."""
    gc.freeze()
    gc.set_threshold(GARBAGE_AFTER_OBJECTS)
    gc.enable()


def run_to_its_end(app: OrcaApp) -> int:
    """Run an app that was made, and answer signals meanwhile; its exit status. Raises what it crashed of."""
    app.bridge.when_started = _begin_to_collect_garbage
    with (
        signals_go_to(app.end_by),
        hang_up_calls(partial(app.end_by, signal.SIGHUP)),
        _drawing_where_it_is_seen(),
        log_kept(app.bridge.loaded.home),
    ):
        app.run()
    if app.crash is not None:
        raise app.crash
    return app.return_code or 0
