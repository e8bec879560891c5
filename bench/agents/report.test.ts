import { expect, test } from 'vitest';
import type { CodeName } from './code-bases.ts';
import { type RunResult, reportOf } from './report.ts';

const result = (
  round: number,
  arm: string,
  code: CodeName,
  out: number,
  met?: readonly number[],
): RunResult => ({
  round,
  arm,
  code,
  commands: out / 100,
  charactersIn: 10,
  charactersOut: out,
  seconds: 1,
  met: met && new Map(met.map((points, at) => [`${code}-0${at}`, points])),
  points: 8,
});
const lineOf = (text: string, start: string) => text.split('\n').find((line) => line.startsWith(start));

test('compares an arm with the plain one of the same round, and takes the geometric mean of rounds', () => {
  const report = reportOf([
    result(1, 'plain', 'dircproxy', 1000),
    result(1, 'quarry', 'dircproxy', 500),
    result(2, 'plain', 'dircproxy', 4000),
    result(2, 'quarry', 'dircproxy', 500),
  ]);
  expect(lineOf(report, '| quarry | dircproxy |')).toContain('| 2 | 0.25 | 0.25 | 1.00 | not judged |');
});

test('adds up the code bases of a round, and leaves out what only one arm has answered', () => {
  const report = reportOf([
    result(1, 'plain', 'dircproxy', 1000),
    result(1, 'quarry', 'dircproxy', 500),
    result(1, 'plain', 'dhcpy6d', 3000),
    result(1, 'quarry', 'dhcpy6d', 1500),
    result(1, 'plain', 'quarry', 90_000),
    result(2, 'quarry', 'dhcpy6d', 90_000),
  ]);
  expect(lineOf(report, '| quarry | all |')).toContain('| 1 | 0.50 | 0.50 |');
  expect(lineOf(report, '| quarry | quarry |')).toBeUndefined();
});

test('shows losses, in cost and in points, question by question', () => {
  const report = reportOf([
    result(1, 'plain', 'dircproxy', 1000, [4, 4, 1]),
    result(1, 'quarry', 'dircproxy', 1200, [2, 4, 2]),
  ]);
  expect(lineOf(report, '| quarry | dircproxy |')).toBe(
    '| quarry | dircproxy | 1 | **1.20** | **1.20** | 1.00 | **8 : 9** | 1, 1, 1 |',
  );
});

test('lists each run by round, the plain arm first', () => {
  const report = reportOf([
    result(2, 'plain', 'dircproxy', 100),
    result(1, 'after', 'dircproxy', 100, [3]),
    result(1, 'plain', 'dircproxy', 100, [2]),
  ]);
  const rows = report.split('\n').slice(2, 5);
  expect(rows.map((line) => line.split(' | ').slice(0, 3).join(' '))).toEqual([
    '| 1 dircproxy plain',
    '| 1 dircproxy after',
    '| 2 dircproxy plain',
  ]);
  expect(rows[1]).toContain('3 of 8');
});
