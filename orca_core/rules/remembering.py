"""What the user asks, in so many words, to be remembered or forgotten.

Only typed text counts, only where a sentence or line begins, and never inside quotation marks or code: what a pasted
page, a quoted friend or an example says is not the user's wish."""

from __future__ import annotations
