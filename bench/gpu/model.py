"""A sentence encoder of the shape of MiniLM with random weights, over packed sequences without padding."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from pooling import pool
from torch.nn.attention.varlen import varlen_attn

DTYPES = ("fp32", "fp16", "bf16", "int8")
# Packed batches end on a multiple of this, so that matrix products have few shapes and aligned ones.
TOKEN_MULTIPLE = 128


@dataclass(frozen=True)
class Shape:
    """The sizes of the encoder."""

    layers: int = 6
    hidden: int = 384
    heads: int = 12
    inner: int = 1536
    vocabulary: int = 30522
    positions: int = 512


class Linear:
    """A linear layer in the compute type."""

    def __init__(self, weight: torch.Tensor, bias: torch.Tensor, compute: torch.dtype):
        self.weight = weight.to(compute)
        self.bias = bias.to(compute)

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        return F.linear(x, self.weight, self.bias)


class Int8Linear:
    """A linear layer of 8-bit products: one scale per output of the weights, one per token of the input.

    A scale per token, not per batch, keeps a vector a function of its own text.
    """

    def __init__(self, weight: torch.Tensor, bias: torch.Tensor, compute: torch.dtype):
        scale = weight.abs().amax(dim=1, keepdim=True) / 127
        self.weight = (weight / scale).round().to(torch.int8).t()
        self.scale = scale.squeeze(1).float()
        self.bias = bias.float()
        self.compute = compute

    def __call__(self, x: torch.Tensor) -> torch.Tensor:
        wide = x.float()
        scale = wide.abs().amax(dim=1, keepdim=True).clamp(min=1e-6) / 127
        product = torch._int_mm((wide / scale).round().to(torch.int8), self.weight)
        return (product.float() * scale * self.scale + self.bias).to(self.compute)


def attention(q, k, v, offsets, longest: int):
    """Attention inside each packed sequence; flash kernels for half types, memory-efficient ones for fp32."""
    if q.dtype != torch.float32:
        return varlen_attn(q, k, v, offsets, offsets, longest, longest)
    q, k, v = (part.unsqueeze(0) for part in (q, k, v))
    found = torch.ops.aten._efficient_attention_forward(
        q, k, v, None, offsets, offsets, longest, longest, 0.0, 0, False
    )
    return found[0].squeeze(0)


class Encoder:
    """Turns packed token ids into one unit-length vector per text."""

    def __init__(self, dtype: str, shape: Shape = Shape(), seed: int = 7, device: str = "cuda"):
        self.shape = shape
        self.dtype = dtype
        self.compute = {"fp32": torch.float32, "fp16": torch.float16}.get(dtype, torch.bfloat16)
        self.linear = Int8Linear if dtype == "int8" else Linear
        self.device = torch.device(device)
        self.random = torch.Generator(device=self.device).manual_seed(seed)
        self.words = self._table(shape.vocabulary)
        # The type of the first sentence is added to every position.
        self.places = self._table(shape.positions) + self._table(1)
        self.first_norm = self._norm()
        self.layers = [self._layer() for _ in range(shape.layers)]
        self.forward = torch.compile(self._forward, dynamic=True)

    def _draw(self, *size: int) -> torch.Tensor:
        return torch.randn(*size, generator=self.random, device=self.device) * 0.05

    def _table(self, rows: int) -> torch.Tensor:
        return self._draw(rows, self.shape.hidden).to(self.compute)

    def _norm(self):
        hidden = self.shape.hidden
        weight = (1 + self._draw(hidden)).to(self.compute)
        return weight, self._draw(hidden).to(self.compute)

    def _dense(self, inputs: int, outputs: int):
        return self.linear(self._draw(outputs, inputs), self._draw(outputs), self.compute)

    def _layer(self):
        hidden, inner = self.shape.hidden, self.shape.inner
        return {
            "qkv": self._dense(hidden, 3 * hidden),
            "output": self._dense(hidden, hidden),
            "attention_norm": self._norm(),
            "up": self._dense(hidden, inner),
            "down": self._dense(inner, hidden),
            "norm": self._norm(),
        }

    def _normalise(self, x: torch.Tensor, norm) -> torch.Tensor:
        return F.layer_norm(x, (self.shape.hidden,), norm[0], norm[1], 1e-12)

    def _forward(self, ids, positions, offsets, longest: int) -> torch.Tensor:
        heads, hidden = self.shape.heads, self.shape.hidden
        x = self._normalise(F.embedding(ids, self.words) + F.embedding(positions, self.places), self.first_norm)
        for layer in self.layers:
            qkv = layer["qkv"](x).view(-1, 3, heads, hidden // heads)
            mixed = attention(qkv[:, 0], qkv[:, 1], qkv[:, 2], offsets, longest).reshape(-1, hidden)
            x = self._normalise(x + layer["output"](mixed), layer["attention_norm"])
            x = self._normalise(x + layer["down"](F.gelu(layer["up"](x))), layer["norm"])
        return x

    @torch.inference_mode()
    def encode(self, ids, positions, offsets, longest: int, rows: torch.Tensor) -> None:
        """Fills `rows` [texts, hidden] from packed ids; `longest` is rounded up so that few shapes occur."""
        pool(self.forward(ids, positions, offsets, -(-longest // 64) * 64), offsets, rows)
