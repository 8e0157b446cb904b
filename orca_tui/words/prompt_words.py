"""What each prompt is for, in words."""

from __future__ import annotations

from collections.abc import Mapping
from gettext import gettext as _

from orca_core.model.llm import PromptText
from orca_tui.language import N_, explained

PROMPT_WORDS: Mapping[str, str] = {
    "memory_extractor": N_("what is worth remembering of a chat"),
    "verifier": N_("how what is noted is verified before it is kept"),
    "verifier_facts": N_("when the user says a fact"),
    "summarizer": N_("the running summary of a long chat"),
    "episode_reader": N_("what was done in a chat, and how it ended"),
    "verifier_episodes": N_("whether the user says what an episode says"),
    "knowledge_writer": N_("what several episodes teach"),
    "guide_writer": N_("what calls of a tool taught"),
    "verifier_guides": N_("whether a guide speaks of nothing but its tool"),
    "feedback_reader": N_("what likes, edits, collected tools and sessions show"),
    "verifier_feedback": N_("whether the latest acts show what the user prefers"),
    "extraction_material": N_("the form of a chat that is read for facts"),
    "episode_material": N_("the form of a chat that is read for episodes"),
    "summary_material": N_("the form of rounds that are summed up"),
    "extraction_again": N_("the reply to an answer that could not be read"),
    "memory_block": N_("the head of the memories before a question"),
    "cite": N_("how the model is to cite them"),
    "recall_tool": N_("what the model is told of looking up what is remembered"),
    "looked_up": N_("the head of what it looked up"),
    "looked_up_nothing": N_("what it is told where nothing was found"),
    "lookup_failed": N_("what it is told where nothing could be read"),
    "no_such_call": N_("what it is told of a call that is not carried out"),
    "current_task": N_("what the model is told of the current task"),
    "summary": N_("the head of a running summary"),
}


def prompt_about(name: str) -> str:
    """What a prompt is for."""
    return _(PROMPT_WORDS[name])


def prompt_source(prompt: PromptText) -> str:
    """Whose text is used."""
    if prompt.is_own:
        return _("yours")
    return _("built-in") if prompt.is_replaceable else _("fixed")


def prompt_problem(prompt: PromptText) -> str:
    """What is wrong with the user's own text, in a line; empty where nothing is."""
    if prompt.failure is not None:
        return explained(prompt.failure)
    if not prompt.lacking:
        return ""
    fields = " ".join(f"{{{each}}}" for each in prompt.lacking)
    return _("{path} lacks {fields}: the model is not told what stands in their place").format(
        path=prompt.path, fields=fields
    )
