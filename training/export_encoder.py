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

from encoder import HEADS, RECTIFIED, WIDTH, smoothing_names
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


def in_order(graph: onnx.GraphProto, added: list[onnx.NodeProto]) -> None:
    """Puts nodes where all that they read has been made, and takes out what nothing reads any more."""
    end = graph.output[0].name
    makers = {name: node for node in [*added, *graph.node] for name in node.output}
    placed: dict[str, onnx.NodeProto] = {}

    def place(name: str) -> None:
        node = makers.get(name)
        if node is None or name in placed:
            return
        for given in node.input:
            place(given)
        placed.update(dict.fromkeys(node.output, node))

    place(end)
    kept = list({id(node): node for node in placed.values()}.values())
    del graph.node[:]
    graph.node.extend(kept)
    used = {name for node in kept for name in node.input}
    for things in (graph.initializer, graph.input):
        for thing in [thing for thing in things if thing.name not in used]:
            things.remove(thing)
    graph.ClearField("value_info")


def attend_at_once(graph: onnx.GraphProto, layers: int) -> None:
    """One operator for the attention of each layer, without a mask: texts are read one at a time, and none is padded."""
    added = []
    for layer in range(layers):
        home = f"/encoder/layer.{layer}/attention/"
        names = {node.name: node for node in graph.node}
        given = [names[f"{home}self/{part}/Add"].output[0] for part in ("query", "key", "value")]
        made = names[f"{home}output/dense/MatMul"].input[0]
        graph.node.remove(next(node for node in graph.node if made in node.output))
        seen = f"{made}.seen"
        added.append(helper.make_node("MultiHeadAttention", given, [seen], domain="com.microsoft", num_heads=HEADS))
        # Where the runtime knows the shape it joins each sum with its norm into an operator that takes six times as long.
        added.append(helper.make_node("Reshape", [seen, "any.length"], [made]))
    graph.initializer.append(numpy_helper.from_array(np.array([1, -1, WIDTH], np.int64), "any.length"))
    in_order(graph, added)


def rectify(graph: onnx.GraphProto, layers: int) -> None:
    added = []
    for layer in range(layers):
        home = f"/encoder/layer.{layer}/"
        names = {node.name: node for node in graph.node}
        given = names[f"{home}intermediate/dense/Add"].output[0]
        made = names[f"{home}output/dense/MatMul"].input[0]
        graph.node.remove(next(node for node in graph.node if made in node.output))
        added.append(helper.make_node("Relu", [given], [made]))
    in_order(graph, added)


def smoothed(weights: Weights) -> tuple[Weights, dict[str, np.ndarray]]:
    """The weights of the same encoder with smoothed activations, and what those of some dense layers are still to be multiplied by.

    What a rectified or a linear layer makes is smoothed by its own weights; where a norm made it the graph has to.
    """
    weights, left = dict(weights), {}
    for layer in range(layer_count(weights)):
        home = f"encoder.layer.{layer}."
        found = {part: weights.pop(name) for part, name in smoothing_names(layer).items() if name in weights}
        if not found:
            continue
        readers = {
            "heads": [f"{home}attention.self.{part}" for part in ("query", "key", "value")],
            "mixed": [f"{home}attention.output.dense"],
            "wide": [f"{home}intermediate.dense"],
            "narrow": [f"{home}output.dense"],
        }
        for part, names in readers.items():
            for name in names:
                weights[f"{name}.weight"] = weights[f"{name}.weight"] * found[part]
        makers = {"mixed": f"{home}attention.self.value"}
        if RECTIFIED in weights:
            makers["narrow"] = f"{home}intermediate.dense"
        for part, name in makers.items():
            weights[f"{name}.weight"] = weights[f"{name}.weight"] / found[part][:, None]
            weights[f"{name}.bias"] = weights[f"{name}.bias"] / found[part]
        for part in readers.keys() - makers.keys():
            left.update(dict.fromkeys(readers[part], 1 / found[part]))
    return weights, left


def smooth_inputs(graph: onnx.GraphProto, factors: dict[str, np.ndarray]) -> None:
    """Multiplies what some dense layers read; layers that read the same share the product."""
    products: dict[str, onnx.NodeProto] = {}
    for node in graph.node:
        factor = factors.get(node.name.strip("/").replace("/", ".").removesuffix(".MatMul"))
        if factor is None or node.op_type != "MatMul" or (factor == 1).all():
            continue
        given = node.input[0]
        if given not in products:
            graph.initializer.append(numpy_helper.from_array(factor.astype(np.float32), f"{given}.factor"))
            products[given] = helper.make_node("Mul", [given, f"{given}.factor"], [f"{given}.smoothed"])
        node.input[0] = products[given].output[0]
    in_order(graph, list(products.values()))


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
    weights, factors = smoothed(weights)
    is_rectified = weights.pop(RECTIFIED, None) is not None
    layers = layer_count(weights)
    model = onnx.load(template)
    put_weights(model.graph, weights)
    keep_layers(model.graph, layers)
    attend_at_once(model.graph, layers)
    model.opset_import.append(helper.make_opsetid("com.microsoft", 1))
    if is_rectified:
        rectify(model.graph, layers)
    smooth_inputs(model.graph, factors)
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
        # What the attention makes: shapes are not known beyond an operator of the runtime.
        extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
    )
    shutil.copy(tokenizer, output / "tokenizer.json")
    about = {"dimensions": 384, "window_tokens": 256, "pooling": "mean", "precision": "int8"}
    (output / "quarry-model.json").write_text(json.dumps(about) + "\n", encoding="utf8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), [Path(part) for part in sys.argv[4:]])
