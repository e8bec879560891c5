"""Trained weights become an int8 ONNX model in a folder that Quarry opens by its path.

`plain.onnx` beside it is the same model before rounding, for check_int8.py.

Usage: python3 export_encoder.py MINILM.onnx TOKENIZER.json OUTPUT_FOLDER PART...    parts as stretch.py kept them
"""

import json
import shutil
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic

from weights import Weights, unpack

WORDS = "embeddings.word_embeddings.weight"


def layer_count(weights: Weights) -> int:
    return 1 + max(int(name.split(".")[2]) for name in weights if name.startswith("encoder.layer."))


def put_weights(graph: onnx.GraphProto, weights: Weights) -> None:
    """Writes our weights over those of the published graph; fails if one has no place."""
    stored = {tensor.name: tensor for tensor in graph.initializer}
    places = {name: name for name in weights if name in stored}
    for node in graph.node:
        name = node.name.strip("/").replace("/", ".").removesuffix(".MatMul") + ".weight"
        for given in node.input:
            if node.op_type == "MatMul" and given in stored and name in weights:
                places[name] = given
    missing = set(weights) - set(places)
    if missing:
        raise ValueError(f"the graph has no place for {sorted(missing)}")
    for name, place in places.items():
        value = weights[name].T if place != name else weights[name]
        stored[place].CopyFrom(numpy_helper.from_array(np.ascontiguousarray(value, dtype=np.float32), place))


def keep_layers(graph: onnx.GraphProto, count: int) -> None:
    """Ends the graph after so many layers."""
    last = [node for node in graph.node if node.name.startswith(f"/encoder/layer.{count - 1}/output/LayerNorm/")][-1]
    end = graph.output[0].name
    kept = [
        node
        for node in graph.node
        if not any(node.name.startswith(f"/encoder/layer.{layer}/") for layer in range(count, 12))
    ]
    before = last.output[0]
    for node in kept:
        for names in (node.input, node.output):
            for at, name in enumerate(names):
                if name == before:
                    names[at] = end
    del graph.node[:]
    graph.node.extend(kept)
    used = {name for node in graph.node for name in node.input}
    for tensor in [tensor for tensor in graph.initializer if tensor.name not in used]:
        graph.initializer.remove(tensor)
    graph.ClearField("value_info")


def pack_words(graph: onnx.GraphProto) -> None:
    """The word vectors in 8 bits with a step for each row: one step for all rows would blur the short ones."""
    table = next(tensor for tensor in graph.initializer if tensor.name == WORDS)
    rows = numpy_helper.to_array(table)
    steps = np.abs(rows).max(1, keepdims=True) / 127
    steps[steps == 0] = 1
    graph.initializer.remove(table)
    whole = np.rint(rows / steps).astype(np.int8)
    graph.initializer.append(numpy_helper.from_array(whole, "words.rows"))
    graph.initializer.append(numpy_helper.from_array(steps.astype(np.float32), "words.steps"))
    at, look_up = next((at, node) for at, node in enumerate(graph.node) if WORDS in node.input)
    ids, result = look_up.input[1], look_up.output[0]
    graph.node.remove(look_up)
    for offset, node in enumerate(
        [
            helper.make_node("Gather", ["words.rows", ids], ["words.whole"]),
            helper.make_node("Gather", ["words.steps", ids], ["words.step"]),
            helper.make_node("Cast", ["words.whole"], ["words.real"], to=onnx.TensorProto.FLOAT),
            helper.make_node("Mul", ["words.real", "words.step"], [result]),
        ]
    ):
        graph.node.insert(at + offset, node)


def main(template: Path, tokenizer: Path, output: Path, parts: list[Path]) -> None:
    weights = unpack(b"".join(part.read_bytes() for part in parts))
    model = onnx.load(template)
    put_weights(model.graph, weights)
    keep_layers(model.graph, layer_count(weights))
    output.mkdir(parents=True, exist_ok=True)
    pack_words(model.graph)
    onnx.checker.check_model(model)
    plain = output / "plain.onnx"
    onnx.save(model, plain)
    # Signed weights, as the published int8 models have them: unsigned ones take a third more time without VNNI. In a
    # range of 7 bits no processor clips a sum, so that vectors are the same everywhere.
    quantize_dynamic(
        plain,
        output / "model.onnx",
        op_types_to_quantize=["MatMul"],
        weight_type=QuantType.QInt8,
        per_channel=True,
        reduce_range=True,
    )
    shutil.copy(tokenizer, output / "tokenizer.json")
    about = {"dimensions": 384, "window_tokens": 256, "pooling": "mean", "precision": "int8"}
    (output / "quarry-model.json").write_text(json.dumps(about) + "\n", encoding="utf8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), [Path(part) for part in sys.argv[4:]])
