import type { OutsideMatch } from '../../../contracts/searcher.ts';
import { shortened } from '../../../core/text/shortened.ts';

/** Where the parts of an answer are, where a server names them otherwise than most. */
export interface AnswerShape {
  /** Keys down to the list of results: `data.items`. */
  readonly list?: string | undefined;
  /** The field of a result that names its document. */
  readonly path?: string | undefined;
  /** The field that holds its text. */
  readonly text?: string | undefined;
}

/** The answer of a tool, as far as it matters here. */
export interface ToolAnswer {
  readonly content?: readonly unknown[] | undefined;
  readonly structuredContent?: unknown;
}

/** Longer texts of one result are cut. */
const maxTextLength = 4_000;
const deepest = 6;

const textFields = [
  'text',
  'content',
  'snippet',
  'body',
  'passage',
  'excerpt',
  'chunk',
  'match',
  'observations',
  'description',
];
const nameFields = [
  'path',
  'file',
  'filepath',
  'file_path',
  'filename',
  'uri',
  'url',
  'docid',
  'source',
  'title',
  'name',
  'id',
];
const firstLineFields = ['line', 'startLine', 'start_line', 'lineNumber', 'line_number'];
const lastLineFields = ['endLine', 'end_line'];

type Fields = Readonly<Record<string, unknown>>;

/** The results in the answer of any server: a list of objects as data, as JSON in a text, or plain text. */
export function readAnswer(
  { content = [], structuredContent }: ToolAnswer,
  shape: AnswerShape = {},
): OutsideMatch[] {
  const asData = resultsIn(structuredContent, shape);
  if (asData.length > 0) return asData;
  const blocks = content.filter((block): block is Fields => typeof block === 'object' && block !== null);
  return blocks.flatMap((block) => blockMatches(block, shape));
}

function blockMatches(block: Fields, shape: AnswerShape): OutsideMatch[] {
  if (block.type === 'resource') return matchOf(block.resource, shape);
  if (block.type === 'resource_link')
    return matchOf({ ...block, text: block.description ?? block.name }, shape);
  if (typeof block.text !== 'string' || block.text.trim() === '') return [];
  const parsed = parseJson(block.text);
  if (typeof parsed === 'object' && parsed !== null) return resultsIn(parsed, shape);
  return [{ name: 'answer', text: shortened(block.text, maxTextLength) }];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON: the text is the answer.
    return undefined;
  }
}

/** The first list of results at or below a value. */
function resultsIn(value: unknown, shape: AnswerShape, depth = 0): OutsideMatch[] {
  if (typeof value !== 'object' || value === null || depth > deepest) return [];
  if (shape.list !== undefined && depth === 0) {
    const list = shape.list.split('.').reduce<unknown>((at, key) => (at as Fields | undefined)?.[key], value);
    return Array.isArray(list) ? list.flatMap((item) => matchOf(item, shape)) : [];
  }
  if (Array.isArray(value)) {
    const matches = value.flatMap((item) => matchOf(item, shape));
    if (matches.length > 0) return matches;
  }
  for (const inner of Object.values(value)) {
    const found = resultsIn(inner, shape, depth + 1);
    if (found.length > 0) return found;
  }
  return [];
}

function matchOf(item: unknown, { path, text }: AnswerShape): OutsideMatch[] {
  if (typeof item === 'string' && item.trim() !== '')
    return [{ name: 'answer', text: shortened(item, maxTextLength) }];
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return [];
  const fields = item as Fields;
  const found = stringIn(fields, text === undefined ? textFields : [text]);
  if (found === undefined) return [];
  const [from, to] = Array.isArray(fields.lines) ? fields.lines.filter(Number.isInteger) : [];
  const first = from ?? numberIn(fields, firstLineFields);
  const last = to ?? numberIn(fields, lastLineFields) ?? first;
  return [
    {
      name: stringIn(fields, path === undefined ? nameFields : [path]) ?? 'answer',
      text: shortened(found, maxTextLength),
      ...(first !== undefined &&
        last !== undefined &&
        first >= 1 &&
        last >= first && { lines: [first, last] }),
    },
  ];
}

function stringIn(fields: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = fields[name];
    const text =
      Array.isArray(value) && value.every((part) => typeof part === 'string') ? value.join('\n') : value;
    if (typeof text === 'string' && text.trim() !== '') return text;
  }
  return undefined;
}

function numberIn(fields: Fields, names: readonly string[]): number | undefined {
  const found = names.map((name) => fields[name]).find((value) => Number.isInteger(value));
  return found as number | undefined;
}
