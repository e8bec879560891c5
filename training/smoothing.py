"""How much each channel of the activations is smoothed before it is rounded, chosen by what rounding spoils."""

from collections.abc import Iterable

import torch
from torch import Tensor

from encoder import Dense, Encoder

#: The largest size of a channel that stays as it is, as a multiple of the middle one.
LIMITS = (12.0, 8.0, 6.0, 4.0, 3.0, 2.0, 1.5)


def inputs_of(model: Encoder, batches: Iterable[Tensor]) -> dict[Dense, list[Tensor]]:
    """What each dense layer is given, batch by batch."""
    given: dict[Dense, list[Tensor]] = {part: [] for part in model.modules() if isinstance(part, Dense)}
    watched = [
        part.register_forward_pre_hook(lambda part, value: given[part].append(value[0].detach().float()))
        for part in given
    ]
    try:
        with torch.no_grad():
            for ids in batches:
                model.states(ids, False)
    finally:
        for one in watched:
            one.remove()
    return given


def rounding_error(part: Dense, given: list[Tensor]) -> float:
    """How far what the layer makes is from what it makes without rounding, relative to its size."""
    far = size = 0.0
    for value in given:
        part.rounds = False
        wanted = part(value)
        part.rounds = True
        far += float(((part(value) - wanted) ** 2).sum())
        size += float((wanted**2).sum())
    return far / size


@torch.no_grad()
def smooth(model: Encoder, batches: Iterable[Tensor]) -> dict[str, float]:
    """Sets the smoothing of every dense layer; batches have no padding. The mean error of rounding before and after."""
    before, after = [], []
    for part, given in inputs_of(model, batches).items():
        rounds = part.rounds
        # The middle text counts, not the one that has the largest value of all.
        sizes = torch.cat([value.abs().amax(1) for value in given]).median(0).values
        choices = [torch.ones_like(sizes)]
        choices += [(sizes / (limit * sizes.median())).clamp_min(1) for limit in LIMITS]
        errors = []
        for choice in choices:
            part.smoothing.copy_(choice)
            errors.append(rounding_error(part, given))
        least = min(range(len(choices)), key=errors.__getitem__)
        part.smoothing.copy_(choices[least])
        part.rounds = rounds
        before.append(errors[0])
        after.append(errors[least])
    return {"before": sum(before) / len(before), "after": sum(after) / len(after)}
