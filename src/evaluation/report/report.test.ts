import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { EvaluatedQuestion, EvaluatedSet, Evaluation } from '../evaluation-result.ts';
import { scoresOf } from '../measures/metrics.ts';
import { pairedSets } from '../measures/paired-runs.ts';
import { compareRuns, summarise, summariseCategories, summariseSets } from '../measures/summary.ts';
import { differenceChart } from './difference-chart.ts';
import { inlineSvg } from './drawing.ts';
import { escapeMarkdown, escapeMarkup, oneLine } from './safe-text.ts';
import { writeReport } from './write-report.ts';

const runs = ['engine', 'text'];
const hostile = '<script>alert(1)</script> ![x](http://evil.example/a.png) | `code` "\u202eevil\u0007" &amp;';

function question(id: string, text: string, places: readonly number[]): EvaluatedQuestion {
  const answers = runs.map((run, at) => {
    const place = places[at] ?? 0;
    const gains = Array.from({ length: 10 }, (_, index) => (index === place ? 1 : 0));
    return [run, { scores: scoresOf(gains, [1]), milliseconds: 3 + place, found: [`${text}.md`] }];
  });
  return { id, text, category: text, labels: 1, answers: Object.fromEntries(answers) };
}

function evaluatedSet(name: string, questions: EvaluatedQuestion[]): EvaluatedSet {
  return {
    name,
    documents: 2,
    chunks: 3,
    unjudged: 0,
    summaries: runs.map((run) => summarise(run, questions)),
    categories: runs.flatMap((run) => summariseCategories(run, questions)),
    warnings: [`"${hostile}" is no document here.`],
    label_problems: [],
    questions,
  };
}

function evaluation(...sets: EvaluatedSet[]): Evaluation {
  const runOf = (run: string) => ({ evaluation: { sets }, run });
  return {
    format: 'quarry-evaluation-1',
    created_at: '2026-01-02T03:04:05.000Z',
    runs: runs.map((name) => ({ name, settings: { 'search.top_k': hostile } })),
    sets,
    overall: runs.map((run) => summariseSets(run, sets)),
    comparisons: compareRuns({ before: 'text', after: 'engine' }, pairedSets(runOf('text'), runOf('engine'))),
    floors: [],
    warnings: [],
    seconds: 1,
    files: [],
  };
}

const hostileSet = evaluatedSet(hostile, [question('1', hostile, [0, 3]), question('2', hostile, [5, 1])]);
const plainSet = evaluatedSet('plain', [question('1', 'plain', [0, 0])]);

describe('a report', () => {
  test('shows what questions say and lets nothing of it act', async () => {
    const folder = await temporaryFolder();
    const files = await writeReport(folder, evaluation(hostileSet, plainSet));
    expect(files).toEqual([join(folder, 'report.md'), join(folder, 'report.html')]);
    const html = await readFile(join(folder, 'report.html'), 'utf8');
    expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    for (const name of await readdir(folder)) {
      const content = await readFile(join(folder, name), 'utf8');
      expect(content, name).not.toMatch(/<script|\u202e/);
      expect(content.replaceAll('http://www.w3.org/2000/svg', ''), name).not.toMatch(
        /(?:src|href|url)\s*[=(]/,
      );
      expect(content, name).not.toContain('\u0007');
      if (name.endsWith('.md')) expect(content, name).not.toMatch(/(?<!\\)\]\(http/);
    }
    expect(html).toContain("default-src 'none'");
  });

  test('has tables and charts, and the charts of the Markdown are in its folder', async () => {
    const folder = await temporaryFolder();
    await writeReport(folder, evaluation(plainSet));
    const markdown = await readFile(join(folder, 'report.md'), 'utf8');
    const pictures = [...markdown.matchAll(/!\[.*?\]\((report-[a-z0-9-]+\.svg)\)/g)].map(([, name]) => name);
    expect(pictures).toEqual(['report-metrics.svg', 'report-difference-1.svg', 'report-latency.svg']);
    expect((await readdir(folder)).filter((name) => name.endsWith('.svg')).sort()).toEqual(
      [...pictures].sort(),
    );
    expect(markdown).toContain('| plain | engine | 1 | 1.000 |');
    expect(markdown).toContain(
      'engine has too few questions (1, at least 30 are needed) to be judged against text on plain',
    );
  });

  test('gives the mean of several sets as last rows', async () => {
    const folder = await temporaryFolder();
    await writeReport(folder, evaluation(plainSet, evaluatedSet('other', [question('1', 'other', [1, 1])])));
    const markdown = await readFile(join(folder, 'report.md'), 'utf8');
    const mean = (1 + 1 / Math.log2(3)) / 2;
    expect(markdown).toContain(`| mean of sets | engine | 2 | ${mean.toFixed(3)} |`);
  });

  test('of thousands of questions keeps its pictures small and free of numbers that are none', () => {
    const differences = Array.from({ length: 5000 }, (_, index) => 1 - index / 2500);
    const [comparison] = evaluation(plainSet).comparisons;
    if (!comparison) throw new TypeError('no comparison');
    const svg = inlineSvg(differenceChart({ ...comparison, differences }));
    expect(svg.length).toBeLessThan(300_000);
    expect(svg).not.toMatch(/NaN|Infinity/);
    expect(inlineSvg(differenceChart({ ...comparison, differences: [] }))).not.toMatch(/NaN|Infinity/);
  });
});

describe('text from elsewhere', () => {
  test('never opens or closes markup, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(escapeMarkup(text)).not.toMatch(/[<>"']/);
        expect(escapeMarkdown(oneLine(text))).not.toMatch(/(?<!\\)(?:\\\\)*[[\]|`]|[<>\n]/);
      }),
    );
  });

  test('is cut between letters, not within one', () => {
    expect(oneLine('😀'.repeat(5), 3)).toBe('😀😀…');
    expect(oneLine(' a\n\tb ')).toBe('a b');
  });
});
