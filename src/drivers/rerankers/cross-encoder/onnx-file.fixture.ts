/** A value of one of the protocol-buffer fields that ONNX files use. */
type Field = readonly [number: number, value: number | string | Uint8Array];

/** Writes fields as a protocol buffer: whole numbers as varints, everything else with its length. */
function message(...fields: readonly Field[]): Uint8Array {
  const bytes: number[] = [];
  for (const [number, value] of fields) {
    if (typeof value === 'number') bytes.push(...varint(number << 3), ...varint(value));
    else {
      const content = typeof value === 'string' ? new TextEncoder().encode(value) : value;
      bytes.push(...varint((number << 3) | 2), ...varint(content.length));
      for (const byte of content) bytes.push(byte);
    }
  }
  return Uint8Array.from(bytes);
}

function varint(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest = Math.floor(rest / 128);
  }
  return [...bytes, rest];
}

const float = 1;
const int64 = 7;

/** One step of a model: what it does, what it reads and what it writes. */
export interface OnnxStep {
  readonly operation: string;
  readonly inputs: readonly string[];
  readonly output: string;
  /** Whole-number attributes. */
  readonly attributes?: Readonly<Record<string, number>>;
}

/** Numbers that a model carries. */
export interface OnnxConstant {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: Float32Array | BigInt64Array;
}

/** The bytes of an ONNX file with inputs of one row of token numbers and one output of floats. */
export function onnxFile(model: {
  readonly inputs: readonly string[];
  readonly constants: readonly OnnxConstant[];
  readonly steps: readonly OnnxStep[];
  readonly output: { readonly name: string; readonly shape: readonly number[] };
}): Uint8Array {
  const graph = message(
    ...model.steps.map((step): Field => [1, nodeOf(step)]),
    [2, 'tiny'],
    ...model.constants.map((constant): Field => [5, tensorOf(constant)]),
    ...model.inputs.map((name): Field => [11, valueInfo(name, int64, [1, 'tokens'])]),
    [12, valueInfo(model.output.name, float, model.output.shape)],
  );
  return message([1, 8], [7, graph], [8, message([1, ''], [2, 13])]);
}

function nodeOf({ operation, inputs, output, attributes = {} }: OnnxStep): Uint8Array {
  const integer = 2;
  return message(
    ...inputs.map((name): Field => [1, name]),
    [2, output],
    [4, operation],
    ...Object.entries(attributes).map(
      ([name, value]): Field => [5, message([1, name], [3, value], [20, integer])],
    ),
  );
}

function tensorOf({ name, shape, values }: OnnxConstant): Uint8Array {
  const type = values instanceof Float32Array ? float : int64;
  return message(
    ...shape.map((size): Field => [1, size]),
    [2, type],
    [8, name],
    [9, new Uint8Array(values.buffer, values.byteOffset, values.byteLength)],
  );
}

function valueInfo(name: string, type: number, shape: readonly (number | string)[]): Uint8Array {
  const sizes = shape.map((size): Field => [1, message([typeof size === 'number' ? 1 : 2, size])]);
  return message([1, name], [2, message([1, message([1, type], [2, message(...sizes)])])]);
}
