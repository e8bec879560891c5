"""A BERT encoder that gives one unit vector a text, with the rounding of its int8 export on demand."""

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

# This kind of attention is planned anew for every length: 17 ms a call, ten times the work itself.
torch.backends.cuda.enable_cudnn_sdp(False)

WIDTH, HEADS, INNER, VOCABULARY, POSITIONS = 384, 12, 1536, 30522, 512

HEADS_HOME = "attention.self"
#: Published name of each part of a layer.
PARTS = {
    "mixed": "attention.output.dense",
    "mixed_norm": "attention.output.LayerNorm",
    "wide": "intermediate.dense",
    "narrow": "output.dense",
    "narrow_norm": "output.LayerNorm",
}


def rounded(value: Tensor, steps: Tensor, low: int, high: int) -> Tensor:
    """The value on a grid; the gradient passes as if nothing had happened."""
    on_grid = torch.clamp(torch.round(value / steps), low, high) * steps
    return value + (on_grid - value).detach()


class Dense(nn.Linear):
    """A dense layer that can act as its int8 export: weights rounded by row to 7 bits, activations by text to 8.

    Before that each channel of the activations is divided by its `smoothing`, and the weights that meet it are
    multiplied: one step serves all channels of a text, and a few of them are ten times as large as the others.
    """

    rounds = False

    def __init__(self, given: int, made: int) -> None:
        super().__init__(given, made)
        self.register_buffer("smoothing", torch.ones(given))

    def forward(self, value: Tensor) -> Tensor:
        if not self.rounds:
            return super().forward(value)
        weight = self.weight.float() * self.smoothing
        weight = rounded(weight, weight.detach().abs().amax(1, keepdim=True).clamp_min(1e-8) / 64, -64, 64)
        plain = value.float() / self.smoothing
        low = plain.detach().amin((1, 2), keepdim=True).clamp_max(0)
        high = plain.detach().amax((1, 2), keepdim=True).clamp_min(0)
        steps = (high - low).clamp_min(1e-8) / 255
        zero = torch.round(-low / steps)
        return F.linear(rounded(plain + zero * steps, steps, 0, 255) - zero * steps, weight, self.bias)


class Layer(nn.Module):
    def __init__(self, inner: int = INNER, rectified: bool = False) -> None:
        super().__init__()
        self.bend = F.relu if rectified else F.gelu
        self.heads = Dense(WIDTH, 3 * WIDTH)
        self.mixed = Dense(WIDTH, WIDTH)
        self.mixed_norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.wide = Dense(WIDTH, inner)
        self.narrow = Dense(inner, WIDTH)
        self.narrow_norm = nn.LayerNorm(WIDTH, eps=1e-12)

    def forward(self, value: Tensor, mask: Tensor | None) -> Tensor:
        texts, length, _ = value.shape
        query, key, content = self.heads(value).view(texts, length, 3, HEADS, -1).permute(2, 0, 3, 1, 4)
        seen = F.scaled_dot_product_attention(query, key, content, attn_mask=mask)
        value = self.mixed_norm(value + self.mixed(seen.transpose(1, 2).reshape(texts, length, WIDTH)))
        return self.narrow_norm(value + self.narrow(self.bend(self.wide(value))))


class Encoder(nn.Module):
    """Vectors are the mean over the pieces, or the first piece's where `first` is set, scaled to length one.

    `rectified` inner units cost less than the smooth ones of published encoders.
    """

    def __init__(self, layers: int, first: bool = False, inner: int = INNER, rectified: bool = False) -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        self.positions = nn.Embedding(POSITIONS, WIDTH)
        self.kind = nn.Parameter(torch.zeros(WIDTH))
        self.norm = nn.LayerNorm(WIDTH, eps=1e-12)
        self.layers = nn.ModuleList(Layer(inner, rectified) for _ in range(layers))
        self.first, self.rectified = first, rectified

    def states(self, ids: Tensor, padded: bool = True) -> list[Tensor]:
        """What each layer makes of every piece. Texts that are not padded need no mask, which is faster."""
        present = ids != 0
        value = self.norm(self.words(ids) + self.positions.weight[: ids.shape[1]] + self.kind)
        made = []
        for layer in self.layers:
            # Padding must not widen the range by which a text's activations are rounded.
            value = layer(value * present[:, :, None], present[:, None, None, :]) if padded else layer(value, None)
            made.append(value)
        return made

    def forward(self, ids: Tensor) -> Tensor:
        present = ids != 0
        value = self.states(ids)[-1]
        if self.first:
            return F.normalize(value[:, 0].float(), dim=-1)
        weights = present[:, :, None].float()
        return F.normalize((value.float() * weights).sum(1) / weights.sum(1), dim=-1)

    def act_as_int8(self, rounds: bool) -> None:
        for part in self.modules():
            if isinstance(part, Dense):
                part.rounds = rounds


def _names(layer: int, kept: int) -> dict[str, list[str]]:
    """Our name of each weight of a layer, and the published names that make it up."""
    home = f"encoder.layer.{layer}."
    names = {}
    for kind in ("weight", "bias"):
        parts = [f"{home}{HEADS_HOME}.{part}.{kind}" for part in ("query", "key", "value")]
        names[f"layers.{kept}.heads.{kind}"] = parts
        for ours, published in PARTS.items():
            names[f"layers.{kept}.{ours}.{kind}"] = [f"{home}{published}.{kind}"]
    return names


def smoothing_names(layer: int) -> dict[str, str]:
    """By the name of each dense part of a layer, the name under which its smoothing travels."""
    published = {ours: name for ours, name in PARTS.items() if not ours.endswith("_norm")}
    return {ours: f"encoder.layer.{layer}.{name}.smoothing" for ours, name in {"heads": HEADS_HOME, **published}.items()}


OUTER = {
    "words.weight": "embeddings.word_embeddings.weight",
    "positions.weight": "embeddings.position_embeddings.weight",
    "norm.weight": "embeddings.LayerNorm.weight",
    "norm.bias": "embeddings.LayerNorm.bias",
}
KINDS = "embeddings.token_type_embeddings.weight"
#: Stands among the weights of an encoder whose inner units are rectified.
RECTIFIED = "encoder.rectified"


def from_weights(
    weights: dict[str, np.ndarray], layers: list[int], first: bool = False, rectified: bool = False
) -> Encoder:
    """An encoder of some layers of a published one."""
    inner = len(weights["encoder.layer.0.intermediate.dense.bias"])
    encoder = Encoder(len(layers), first, inner, rectified or RECTIFIED in weights)
    state = {ours: torch.from_numpy(weights[published]) for ours, published in OUTER.items()}
    state["kind"] = torch.from_numpy(weights[KINDS][0])
    for kept, layer in enumerate(layers):
        for ours, published in _names(layer, kept).items():
            state[ours] = torch.cat([torch.from_numpy(np.ascontiguousarray(weights[name])) for name in published])
        for ours, published in smoothing_names(layer).items():
            place = f"layers.{kept}.{ours}.smoothing"
            state[place] = torch.from_numpy(weights[published]) if published in weights else encoder.state_dict()[place]
    encoder.load_state_dict(state)
    return encoder


def narrowed(weights: dict[str, np.ndarray], inner: int) -> dict[str, np.ndarray]:
    """The same weights with fewer inner units in each layer: those with the largest weights stay."""
    kept = dict(weights)
    for name in weights:
        if not name.endswith(".intermediate.dense.weight"):
            continue
        home = name.removesuffix("intermediate.dense.weight")
        out = f"{home}output.dense.weight"
        strength = np.linalg.norm(weights[name], axis=1) * np.linalg.norm(weights[out], axis=0)
        chosen = np.sort(np.argsort(-strength)[:inner])
        kept[name] = weights[name][chosen]
        kept[f"{home}intermediate.dense.bias"] = weights[f"{home}intermediate.dense.bias"][chosen]
        kept[out] = weights[out][:, chosen]
    return kept


def to_weights(encoder: Encoder) -> dict[str, np.ndarray]:
    state = {name: value.detach().float().cpu().numpy() for name, value in encoder.state_dict().items()}
    weights = {published: state[ours] for ours, published in OUTER.items()}
    weights[KINDS] = np.stack([state["kind"], np.zeros_like(state["kind"])])
    for layer in range(len(encoder.layers)):
        for ours, published in _names(layer, layer).items():
            weights.update(zip(published, np.split(state[ours], len(published))))
        for ours, published in smoothing_names(layer).items():
            weights[published] = state[f"layers.{layer}.{ours}.smoothing"]
    if encoder.rectified:
        weights[RECTIFIED] = np.ones(1, np.float32)
    return weights
