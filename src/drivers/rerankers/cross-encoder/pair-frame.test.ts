import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodePair, pairFrameOf } from './pair-frame.ts';

const tokenizer = { startId: 101, endId: 102 };
const special = (id: string, type: number) => ({ SpecialToken: { id, type_id: type } });
const sequence = (id: string, type: number) => ({ Sequence: { id, type_id: type } });
const special_tokens = { '<s>': { ids: [0] }, '</s>': { ids: [2] } };
const xlmRoberta = {
  type: 'TemplateProcessing',
  pair: [
    special('<s>', 0),
    sequence('A', 0),
    special('</s>', 0),
    special('</s>', 0),
    sequence('B', 0),
    special('</s>', 0),
  ],
  special_tokens,
};

describe('a pair is framed', () => {
  test.each<[string, unknown, number[], number[]]>([
    ['as BERT does where nothing is said', null, [101, 7, 8, 102, 9, 102], [0, 0, 0, 0, 1, 1]],
    ['as BERT says', { type: 'BertProcessing' }, [101, 7, 8, 102, 9, 102], [0, 0, 0, 0, 1, 1]],
    ['as RoBERTa says', { type: 'RobertaProcessing' }, [101, 7, 8, 102, 102, 9, 102], [0, 0, 0, 0, 0, 0, 0]],
    ['as a template says', xlmRoberta, [0, 7, 8, 2, 2, 9, 2], [0, 0, 0, 0, 0, 0, 0]],
    [
      'as a template among other steps says',
      { type: 'Sequence', processors: [{ type: 'ByteLevel' }, xlmRoberta] },
      [0, 7, 8, 2, 2, 9, 2],
      [0, 0, 0, 0, 0, 0, 0],
    ],
  ])('%s', (_, post_processor, ids, types) => {
    const frame = pairFrameOf({ post_processor }, tokenizer);
    expect(encodePair(frame, [7, 8], [9], 64)).toEqual({ ids, types });
  });

  test.each([
    ['has no pair', { type: 'TemplateProcessing', single: [], special_tokens }],
    [
      'turns the two around',
      { type: 'TemplateProcessing', pair: [sequence('B', 0), sequence('A', 1)], special_tokens },
    ],
    ['leaves one out', { type: 'TemplateProcessing', pair: [sequence('A', 0)], special_tokens }],
  ])('never by a template that %s', (_, post_processor) => {
    expect(() => pairFrameOf({ post_processor }, tokenizer)).toThrow('how two texts are put together');
  });

  test('within the window, with both texts from their beginning, for texts of any length', () => {
    const frame = pairFrameOf({}, tokenizer);
    const pieces = fc.array(fc.integer({ min: 1000, max: 9999 }), { maxLength: 200 });
    fc.assert(
      fc.property(pieces, pieces, fc.integer({ min: 8, max: 128 }), (query, chunk, window) => {
        const { ids, types } = encodePair(frame, query, chunk, window);
        expect(ids.length).toBeLessThanOrEqual(window);
        expect(types).toHaveLength(ids.length);
        const asked = ids.filter((id, at) => id >= 1000 && types[at] === 0);
        const kept = ids.filter((id, at) => id >= 1000 && types[at] === 1);
        expect(query.slice(0, asked.length)).toEqual(asked);
        expect(chunk.slice(0, kept.length)).toEqual(kept);
        expect(kept.length).toBeGreaterThanOrEqual(Math.min(chunk.length, Math.floor((window - 3) / 2)));
      }),
    );
  });
});
