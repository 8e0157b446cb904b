"""The proof that a record is gone, in JSON."""

from __future__ import annotations

from orca_core.domain.proofs import Place, Proof
from orca_core.wire.values import Json


def proof_json(proof: Proof) -> Json:
    """Where it was looked, what was found before and is left; `found` of a file or backup is what stands there now."""
    return {
        "gone": proof.is_gone,
        "places": [_place_json(each) for each in proof.places],
        "columns": [_place_json(each) for each in proof.columns],
        "files": [{"path": str(each.path), "bytes": each.bytes, "found": each.found} for each in proof.files],
        "backups": [{"name": each.path.name, "path": str(each.path), "found": each.found} for each in proof.backups],
    }


def _place_json(place: Place) -> Json:
    return {"name": place.name, "found": place.found, "left": place.left}
