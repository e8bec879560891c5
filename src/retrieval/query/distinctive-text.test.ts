import { describe, expect, test } from 'vitest';
import { analyseQuery } from './analyse-query.ts';
import { distinctiveText } from './distinctive-text.ts';

const report = `The scheduler fires twice after the clock goes back

- [x] I have searched the existing issues
- [x] I am using the latest version

### Environment

| | |
|---|---|
| OS | Debian 12 |

Node: 20.11.1
Browser: Firefox 127

https://sandbox.example/edit/abc?file=/index.js&view=editor

<!-- Please fill in the template. -->

With \`nextOccurrence\` I get the same hour twice, once before and once after the change.

\`\`\`
2026-01-01T08:14:02Z INFO starting worker 1 of 4
2026-01-01T08:14:05Z DEBUG request GET /health 200 3ms
TypeError: Cannot read properties of undefined
    at nextRun (/app/lib/job.js:42:7)
\`\`\`

Thanks for the good work on this library, it has saved me a lot of time in the last years.
`;

describe('a long report', () => {
  const kept = distinctiveText(report);

  test('keeps its title, its errors, its names and the description', () => {
    expect(kept.match(/The scheduler fires twice/g)).toHaveLength(2);
    expect(kept).toContain('TypeError: Cannot read properties of undefined');
    expect(kept).toContain('nextRun');
    expect(kept).toContain('once before and once after the change');
  });

  test('loses what a form, a log and a listing add to it', () => {
    for (const added of ['searched', 'Debian', 'Firefox', 'sandbox', 'template', 'worker', 'Environment'])
      expect(kept).not.toContain(added);
  });

  test('names the files of its stack trace, and none of a web address', () => {
    expect(analyseQuery(report).paths).toEqual([{ path: 'app/lib/job.js', line: 42 }]);
  });
});

test('a query that is short, or that a person wrote as a whole, stays as it is', () => {
  const prose = 'Which of the many ways to keep an index do people use, and why do they use it? '.repeat(10);
  for (const query of ['getUser', 'error: a\nb\nc\nd', prose]) expect(distinctiveText(query)).toBe(query);
});

test('a report of nothing but pasted lines is asked as it stands', () => {
  const log = Array.from({ length: 30 }, (_, line) => `2026-01-01 INFO line ${line} of it`).join('\n');
  expect(distinctiveText(log)).toBe(log);
});
