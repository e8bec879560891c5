import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draws } from '../../../../../test/property-draws.ts';
import { typeOfName } from './declared-type.ts';

/** The rule for languages that write a type before the name, without the search for the place where it may begin. */
function typeBefore(text: string): string | undefined {
  const pattern = /([\p{L}_][\p{L}\p{N}_.:\\]*)(?:<[^<>;(){}]*>)?[\s*&]+$/u;
  return pattern.exec(text.slice(-160))?.[1]?.replaceAll('::', '.').replaceAll('\\', '.');
}

test('the type before a name is the one that the whole reach before it shows, whatever stands there', () => {
  const piece = fc.oneof(
    fc.constantFrom('Map', 'std::vector', 'ns\\Type', '<', '>', 'Key, Value', '*', '&', ' ', '\n', ';', '('),
    fc.constantFrom('é', '1', '.5x', '_', '\u00a0', '𝒳', 'x'.repeat(170)),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const text = `${pieces.join('')}`;
      const found = typeOfName(text, text.length, text.length, 'c');
      // What no type can be is left out after it is found.
      if (found !== undefined) expect(found).toBe(typeBefore(text));
      else expect(typeBefore(text) ?? 'x').toMatch(/^(?:x|[\w.]+)$/);
    }),
    { numRuns: draws(2000) },
  );
  expect(typeOfName('const Map<Key, Value> *', 23, 23, 'cpp')).toBe('Map');
  expect(typeOfName('std::vector<int> &', 18, 18, 'cpp')).toBe('std.vector');
});
