import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { Language, Parser, Query, type TreeCursor } from 'web-tree-sitter';
import { parse } from './grammars.ts';
import { furtherSamples } from './graph/further-samples.fixture.ts';
import { matchesIn, readPatterns } from './graph/patterns.ts';
import { compiledQueries } from './graph/queries-compiled.ts';
import { furtherQueries } from './graph/queries-further.ts';
import { webQueries } from './graph/queries-web.ts';
import { samples as commonSamples } from './graph/samples.fixture.ts';
import { languageOf } from './languages.ts';
import { rulesOf } from './rules-of.ts';
import { fieldOf, type SyntaxNode, type SyntaxTree } from './syntax-tree.ts';

const samples = [...commonSamples, ...furtherSamples].map(
  ([name, text]) => [languageOf(name) ?? name, text] as const,
);
const queries: Readonly<Record<string, string>> = { ...webQueries, ...compiledQueries, ...furtherQueries };
const { resolve } = createRequire(import.meta.url);

/** The tree as we read it, and as the classes of the library show it. */
async function bothTrees(language: string, text: string) {
  const ours = await parse(text, language, 60_000);
  if ('failure' in ours) throw new TypeError(ours.failure);
  const grammar = await Language.load(resolve(rulesOf(language)?.wasm ?? ''));
  const theirs = new Parser().setLanguage(grammar).parse(text);
  if (!theirs) throw new TypeError('the library gives no tree');
  return { tree: ours.tree, grammar, theirs };
}

/** What can be asked of a node of ours, and the same of those within it. */
function ourNode(node: SyntaxNode): unknown {
  const { tree, type, startIndex, endIndex, isNamed, isError, isMissing, hasError, text } = node;
  const field = [...tree.kinds.fields].find(([, id]) => id === fieldOf(tree.table, node.id))?.[0] ?? null;
  const own = [type, startIndex, endIndex, isNamed, isError, isMissing, isError || hasError, text, field];
  const { firstRow, lastRow, namedChildren, children } = node;
  return [own, firstRow, lastRow, namedChildren.length, children.map(ourNode)];
}

/** The same of the library's. */
function theirNode(cursor: TreeCursor): unknown {
  const { type, startIndex, endIndex, isNamed, isError, isMissing, hasError, text } = cursor.currentNode;
  const { startPosition, endPosition, namedChildCount } = cursor.currentNode;
  // Of an error itself it tells by its cost, which may be nothing.
  const isFaulty = isError || hasError;
  const own = [
    type,
    startIndex,
    endIndex,
    isNamed,
    isError,
    isMissing,
    isFaulty,
    text,
    cursor.currentFieldName,
  ];
  const lastRow = endPosition.row - (endPosition.column === 0 ? 1 : 0);
  const children: unknown[] = [];
  for (let isThere = cursor.gotoFirstChild(); isThere; isThere = cursor.gotoNextSibling())
    children.push(theirNode(cursor));
  if (children.length > 0) cursor.gotoParent();
  return [own, startPosition.row, lastRow, namedChildCount, children];
}

test.each(samples)(
  'a tree of %s is what the library shows of it, whole or damaged',
  async (language, text) => {
    const half = text.length >> 1;
    for (const version of [
      text,
      text.slice(half),
      `${text.slice(0, half)}({[\r\n<é🙂${text.slice(half + 9)}`,
      '',
      ' \n',
    ]) {
      const { tree, theirs } = await bothTrees(language, version);
      const cursor = theirs.walk();
      const expected = theirNode(cursor);
      // Left to the collector it would free what stands in the module's buffer by then.
      cursor.delete();
      expect(ourNode(tree.root)).toEqual(expected);
    }
  },
);

test.each(samples)('patterns find in %s what the queries of the library find', async (language, text) => {
  const { tree, grammar, theirs } = await bothTrees(language, text);
  const query = queries[language] ?? '';
  const found = new Query(grammar, query).matches(theirs.rootNode);
  expect(found.length).toBeGreaterThan(3);
  expect(captured(matchesOf(tree, query))).toEqual(captured(found.map(({ captures }) => captures)));
});

test('a pattern of a kind or field that the grammar does not know is refused', async () => {
  const { tree } = await bothTrees('python', 'a = 1');
  for (const pattern of [
    '(no_such_node) @id',
    '(call no_such_field: (identifier) @id)',
    '("no such sign") @id',
  ])
    expect(() => readPatterns(pattern, tree.kinds)).toThrow(/no such|no_such/);
});

test('what is not captured is found once: many names that are given many values are as many matches as names', async () => {
  const text = `${Array(300).fill('a').join(', ')} = ${Array(300).fill('function() end').join(', ')}`;
  const { tree } = await bothTrees('lua', text);
  const pattern =
    '(assignment_statement (variable_list name: (_) @name) (expression_list value: (function_definition))) @def';
  expect(matchesOf(tree, pattern)).toHaveLength(300);
});

test('a look for patterns stops when its time is over', async () => {
  const { tree } = await bothTrees('python', 'a = b\n'.repeat(2_000));
  const patterns = readPatterns('(identifier) @id', tree.kinds);
  expect([...matchesIn(tree, patterns, () => false)]).toHaveLength(4_000);
  expect([...matchesIn(tree, patterns, () => true)].length).toBeLessThan(1_024);
});

function matchesOf(tree: SyntaxTree, query: string) {
  return [...matchesIn(tree, readPatterns(query, tree.kinds), () => false)];
}

type Captured = readonly { readonly name: string; readonly node: { startIndex: number; endIndex: number } }[];

/** Each match as one line, in one order. */
function captured(matches: readonly Captured[]): string[] {
  const lines = matches.map((captures) =>
    captures
      .map(({ name, node }) => `${name} ${node.startIndex} ${node.endIndex}`)
      .sort()
      .join(', '),
  );
  return [...new Set(lines)].sort();
}
