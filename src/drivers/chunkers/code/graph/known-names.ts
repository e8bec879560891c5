/** Names that a language brings along: of JavaScript those that this runtime has, by looking. */
const script: ReadonlySet<string> = new Set([
  ...Object.getOwnPropertyNames(globalThis),
  ...'require module exports arguments undefined document window Partial Required Readonly Record Pick Omit Exclude Extract NonNullable Parameters ReturnType InstanceType Awaited Iterable AsyncIterable Iterator PromiseLike ArrayLike ReadonlyArray ReadonlyMap ReadonlySet PropertyKey Generator AsyncGenerator IterableIterator AsyncIterator NodeJS HTMLElement Element Event'.split(
    ' ',
  ),
]);

const python: ReadonlySet<string> = new Set(
  'abs all any bin bool bytearray bytes callable chr classmethod dict dir divmod enumerate eval filter float format frozenset getattr globals hasattr hash hex id input int isinstance issubclass iter len list locals map max memoryview min next object oct open ord pow print property range repr reversed round set setattr slice sorted staticmethod str sum super tuple type vars zip True False None Exception ValueError TypeError KeyError IndexError AttributeError RuntimeError NotImplementedError StopIteration ImportError OSError self cls'.split(
    ' ',
  ),
);

const plain: ReadonlySet<string> = new Set(
  'string int int8 int16 int32 int64 uint uint8 uint32 uint64 float32 float64 bool byte rune error any len make append nil String Int Integer Boolean Double Float Long Object Unit Any Self self def defp defmacro defmacrop defmodule defprotocol defimpl defstruct defguard defdelegate moduledoc doc spec echo cd set local export printf return exit shift test'.split(
    ' ',
  ),
);

/** Names that need no definition in a project, by language; one that a file defines itself is its own. */
export function builtIns(language: string): ReadonlySet<string> {
  if (language === 'python') return python;
  return takesNamesOneByOne(language) && language !== 'rust' ? script : plain;
}

/** Whether a name of another file holds only where it is imported by name. */
export function takesNamesOneByOne(language: string): boolean {
  return /^(?:typescript|tsx|javascript|python|rust)$/.test(language);
}
