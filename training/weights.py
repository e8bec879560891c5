"""Weights of BERT encoders: out of ONNX files, into a small archive that travels, and back.

Usage: python3 weights.py MODEL.onnx OUTPUT.npz.xz
"""

import io
import lzma
import sys
from pathlib import Path

import numpy as np

Weights = dict[str, np.ndarray]


def read_onnx(path: Path) -> Weights:
    """Weights by the names of the published checkpoints, dense layers as (out, in), from a float or an int8 graph."""
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(path).graph
    stored = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}

    def plain(name: str) -> np.ndarray:
        if not name.endswith("_quantized"):
            return stored[name].astype(np.float32)
        stem = name.removesuffix("_quantized")
        zero, scale = stored[f"{stem}_zero_point"], stored[f"{stem}_scale"]
        return (stored[name].astype(np.float32) - zero.astype(np.float32)) * scale

    found = {}
    for name in stored:
        if not name.startswith("onnx::") and not name.endswith(("_scale", "_zero_point")):
            found[name.removesuffix("_quantized")] = plain(name)
    # Matrices of dense layers have no names of their own: the node that multiplies by them names the layer.
    for node in graph.node:
        if node.op_type in ("MatMul", "MatMulInteger"):
            for name in node.input:
                if name in stored and name.startswith("onnx::") and stored[name].ndim == 2:
                    layer = node.name.strip("/").replace("/", ".").removesuffix("_quant").removesuffix(".MatMul")
                    found[f"{layer}.weight"] = plain(name).T
    return {name: value for name, value in found.items() if name.startswith(("embeddings.", "encoder."))}


def pack(weights: Weights, fine: bool = False) -> bytes:
    """Matrices in 8 bits with a step for each row, the rest in float32, compressed.

    `fine` keeps the matrices of dense layers in 16 bits: those of a model that learned to be rounded must not be
    rounded twice.
    """
    packed = {}
    for name, value in weights.items():
        if fine and value.ndim == 2 and not name.startswith("embeddings."):
            packed[name] = value.astype(np.float16)
            continue
        if value.ndim < 2:
            packed[name] = value.astype(np.float32)
            continue
        steps = np.abs(value).max(axis=1, keepdims=True) / 127
        steps[steps == 0] = 1
        packed[f"{name}|rows"] = np.rint(value / steps).astype(np.int8)
        packed[f"{name}|steps"] = steps.astype(np.float32)
    buffer = io.BytesIO()
    np.savez(buffer, **packed)
    return lzma.compress(buffer.getvalue(), preset=1)


def unpack(content: bytes) -> Weights:
    archive = np.load(io.BytesIO(lzma.decompress(content)))
    weights = {}
    for name in archive.files:
        stem, _, part = name.partition("|")
        if part == "rows":
            weights[stem] = archive[name].astype(np.float32) * archive[f"{stem}|steps"]
        elif part == "":
            weights[stem] = archive[name].astype(np.float32)
    return weights


def main(model: Path, output: Path) -> None:
    content = pack(read_onnx(model))
    output.write_bytes(content)
    print(f"{output}: {len(content):,} bytes, {len(unpack(content))} arrays", file=sys.stderr)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
