import { z } from 'zod';
import { QuarryError } from '../../../core/errors.ts';
import type { TextTokenizer } from '../../../models/tokenizers/wordpiece.ts';

/** A special token with the part of the pair that it counts to. */
export interface FrameToken {
  readonly id: number;
  readonly type: number;
}

/** What stands around and between two texts, as the model was trained. */
export interface PairFrame {
  readonly before: readonly FrameToken[];
  readonly between: readonly FrameToken[];
  readonly after: readonly FrameToken[];
  readonly queryType: number;
  readonly chunkType: number;
}

/** A pair as the model takes it. */
export interface EncodedPair {
  readonly ids: readonly number[];
  readonly types: readonly number[];
}

const part = z.union([
  z.object({ SpecialToken: z.object({ id: z.string(), type_id: z.int() }) }),
  z.object({ Sequence: z.object({ id: z.enum(['A', 'B']), type_id: z.int() }) }),
]);
const template = z.looseObject({
  type: z.literal('TemplateProcessing'),
  pair: z.array(part),
  special_tokens: z.record(z.string(), z.looseObject({ ids: z.array(z.int()) })),
});
type Template = z.output<typeof template>;

/** The frame that a `tokenizer.json` describes; that of BERT where it says nothing. */
export function pairFrameOf(
  tokenizerFile: unknown,
  { startId, endId }: Pick<TextTokenizer, 'startId' | 'endId'>,
): PairFrame {
  const processors = processorsIn(tokenizerFile);
  const described = processors.find(({ type }) => type === 'TemplateProcessing');
  if (described) {
    const parsed = template.safeParse(described);
    const frame = parsed.success ? frameOfTemplate(parsed.data) : undefined;
    if (frame) return frame;
    throw notAPair();
  }
  const isRoberta = processors.some(({ type }) => type === 'RobertaProcessing');
  const end = { id: endId, type: 0 };
  const start = [{ id: startId, type: 0 }];
  return isRoberta
    ? { before: start, between: [end, end], after: [end], queryType: 0, chunkType: 0 }
    : { before: start, between: [end], after: [{ id: endId, type: 1 }], queryType: 0, chunkType: 1 };
}

/** Puts a pair of texts into its frame; the query keeps at most half of the window, the chunk what is left. */
export function encodePair(
  frame: PairFrame,
  query: readonly number[],
  chunk: readonly number[],
  windowTokens: number,
): EncodedPair {
  const room = windowTokens - frame.before.length - frame.between.length - frame.after.length;
  const asked = query.slice(0, Math.max(0, Math.floor(room / 2)));
  const kept = chunk.slice(0, Math.max(0, room - asked.length));
  const tokens: FrameToken[] = [
    ...frame.before,
    ...asked.map((id) => ({ id, type: frame.queryType })),
    ...frame.between,
    ...kept.map((id) => ({ id, type: frame.chunkType })),
    ...frame.after,
  ];
  return { ids: tokens.map(({ id }) => id), types: tokens.map(({ type }) => type) };
}

const processor = z.looseObject({ type: z.string() });
const withProcessor = z.looseObject({
  post_processor: z
    .union([z.looseObject({ type: z.literal('Sequence'), processors: z.array(processor) }), processor])
    .nullish(),
});

function processorsIn(tokenizerFile: unknown): readonly z.output<typeof processor>[] {
  const { post_processor: found } = withProcessor.safeParse(tokenizerFile).data ?? {};
  if (!found) return [];
  const steps = z.array(processor).safeParse(found.processors);
  return steps.success ? steps.data : [found];
}

function frameOfTemplate({ pair, special_tokens: special }: Template): PairFrame | undefined {
  const groups: FrameToken[][] = [[]];
  const types: number[] = [];
  let order = '';
  for (const item of pair) {
    if ('Sequence' in item) {
      order += item.Sequence.id;
      types.push(item.Sequence.type_id);
      groups.push([]);
    } else {
      const { id, type_id: type } = item.SpecialToken;
      groups.at(-1)?.push(...(special[id]?.ids ?? []).map((number) => ({ id: number, type })));
    }
  }
  const [before = [], between = [], after = []] = groups;
  const [queryType = 0, chunkType = 0] = types;
  return order === 'AB' ? { before, between, after, queryType, chunkType } : undefined;
}

function notAPair(): QuarryError {
  return new QuarryError(
    'config-invalid',
    "The reranker's tokenizer.json does not say how two texts are put together.",
    'Copy the tokenizer.json that was published with the cross-encoder.',
  );
}
