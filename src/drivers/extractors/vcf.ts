import type { Extractor } from '../../contracts/extractor.ts';
import { bounded, defaultBounds } from './bounds.ts';
import { decodeText, guessedEncoding } from './decode-text.ts';
import { type ContentLine, contentLines, isBinary, partsOf, unescaped } from './entries/content-lines.ts';
import { type Entry, entryText } from './entries/entry-text.ts';
import { plainText } from './plain-text.ts';

/** Address books: each contact with its addresses, numbers and notes, without pictures and keys. */
export function createVcfExtractor(bounds = defaultBounds): Extractor {
  return bounded('vCard', bounds, async (file, deadline) => {
    const decoded = await decodeText(file.bytes);
    // Variants of genes are kept in files of the same extension.
    if (!decoded || !/^\s*BEGIN:VCARD\b/i.test(decoded.text)) return plainText(file, 'lines');
    const entries: Entry[] = [];
    let lines: ContentLine[] = [];
    let length = 0;
    let isCut = false;
    for (const line of contentLines(decoded.text)) {
      if (deadline.passed() || length > bounds.outputCharacters) {
        isCut = true;
        break;
      }
      const isEdge = /^VCARD$/i.test(line.value.trim());
      if (line.name === 'BEGIN' && isEdge) lines = [];
      else if (line.name === 'END' && isEdge) {
        entries.push(contactOf(lines));
        lines = [];
      } else if (!isBinary(line)) lines.push(line);
      length += line.value.length;
    }
    if (entries.length === 0)
      return { kind: 'skip', reason: 'unsupported', rule: 'broken vCard: no contact in it' };
    const notes = [guessedEncoding(decoded), isCut && `only the first ${entries.length} contacts are read`];
    return entryText(entries, 'contact', '', notes.filter(Boolean).join('; '));
  });
}

export default createVcfExtractor;

/** What is shown of a contact, in this order. */
const shown: readonly (readonly [name: string, label: string])[] = [
  ['NICKNAME', 'Nickname'],
  ['ORG', 'Organization'],
  ['TITLE', 'Title'],
  ['ROLE', 'Role'],
  ['EMAIL', 'E-mail'],
  ['TEL', 'Phone'],
  ['ADR', 'Address'],
  ['IMPP', 'Chat'],
  ['URL', 'Link'],
  ['BDAY', 'Birthday'],
  ['ANNIVERSARY', 'Anniversary'],
  ['RELATED', 'Related'],
  ['CATEGORIES', 'Categories'],
  ['NOTE', 'Note'],
];

function contactOf(lines: readonly ContentLine[]): Entry {
  const full = unescaped(lines.find(({ name }) => name === 'FN')?.value ?? '');
  const [family = '', given = '', middle = ''] = partsOf(lines.find(({ name }) => name === 'N')?.value ?? '');
  const company = partsOf(lines.find(({ name }) => name === 'ORG')?.value ?? '')[0] ?? '';
  const written = [given, middle, family].filter(Boolean).join(' ');
  return {
    name: (full || written || company).replace(/\s+/g, ' '),
    lines: shown.flatMap(([name, label]) => {
      const said = lines
        .filter((line) => line.name === name)
        .map(wordsOf)
        .filter(Boolean);
      return said.length === 0 ? [] : [`${label}: ${said.join('; ')}`];
    }),
  };
}

/** Parts of an address or a company, with what it is for: `Hafenweg 3, Kiel (home)`. */
function wordsOf({ name, parameters, value }: ContentLine): string {
  const isStructured = name === 'ADR' || name === 'ORG';
  const words = isStructured
    ? partsOf(value).filter(Boolean).join(', ').replaceAll('\n', ', ')
    : unescaped(value).replace(/^(?:tel|mailto):/i, '');
  // Version 2.1 names the use alone, later ones as the type.
  const types = [...(parameters.get('TYPE')?.split(',') ?? []), ...parameters.keys()].map((type) =>
    type.toLowerCase(),
  );
  const uses = [...new Set(types)].filter((type) => use.test(type)).join(', ');
  return words === '' || uses === '' ? words : `${words} (${uses})`;
}

const use = /^(?:home|work|cell|fax|pager|mobile|other|school)$/;
