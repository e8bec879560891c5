import type { DocumentRecord } from '../../core/document.ts';
import type { AnalysedQuery } from '../query/analyse-query.ts';
import { isMentioned } from '../query/path-mention.ts';
import { meet } from './word-match.ts';

/** A kind of file that repeats or accompanies others, and is rarely what is wanted. */
export interface NoiseClass {
  readonly name: string;
  readonly pattern: RegExp;
  /** What remains of the score. */
  readonly factor: number;
  /** A query with one of these words asks for such files. */
  readonly askedBy: readonly string[];
}

// The factors come from bench sets of repositories: 0.2 to 0.35 for tests do equally well there, 0.5 and more lose.
// A second form of a source (declarations, bundles) keeps more, because it may be the only form.
export const noiseClasses: readonly NoiseClass[] = [
  {
    name: 'test',
    pattern:
      /(?:^|\/)(?:tests?|__tests__|specs?|e2e|testing|testdata)\/|[._-](?:test|tests|spec|e2e)\.[^/]+$|(?:^|\/)test_[^/]+$|_test\.[^/]+$|(?:^|\/)[^/]*Tests?\.(?:java|kt|cs|swift|scala|php)$/,
    factor: 0.35,
    askedBy: ['test', 'spec', 'e2e', 'assertion'],
  },
  {
    name: 'example',
    pattern: /(?:^|\/)(?:examples?|samples?|demos?|tutorials?|playground)\//i,
    factor: 0.35,
    askedBy: ['example', 'sample', 'demo', 'tutorial', 'playground'],
  },
  {
    name: 'fixture',
    pattern: /(?:^|\/)(?:fixtures?|__fixtures__|mocks?|__mocks__|stubs?|__snapshots__|snapshots?)\/|\.snap$/i,
    factor: 0.35,
    askedBy: ['fixture', 'mock', 'stub', 'snapshot'],
  },
  {
    name: 'benchmark',
    pattern: /(?:^|\/)(?:bench|benches|benchmarks?|perf)\//i,
    factor: 0.35,
    askedBy: ['bench', 'benchmark', 'performance', 'speed'],
  },
  {
    name: 'vendored',
    pattern: /(?:^|\/)(?:vendor|vendored|third[_-]party|external|node_modules|bower_components)\//i,
    factor: 0.35,
    askedBy: ['vendor', 'third', 'external'],
  },
  {
    name: 'generated',
    pattern:
      /(?:^|\/)(?:dist|build|out|generated|__generated__|gen)\/|\.min\.(?:js|css)$|\.(?:gen|generated|g|pb|designer)\.[^/]+$|_pb2?(?:_grpc)?\.[^/]+$|\.d\.[cm]?ts$/i,
    factor: 0.5,
    askedBy: ['generate', 'dist', 'build', 'bundle', 'declaration'],
  },
];

/** The class that a document belongs to by its path or its header, unless the query asks for such files. */
export function noiseOf(
  { words, paths }: AnalysedQuery,
  { uri, metadata }: Pick<DocumentRecord, 'uri' | 'metadata'>,
): NoiseClass | undefined {
  if (paths.some((mention) => isMentioned(uri, mention))) return undefined;
  const saysGenerated = ({ name }: NoiseClass) => name === 'generated' && metadata.generated === true;
  const found = noiseClasses.find((noise) => noise.pattern.test(uri) || saysGenerated(noise));
  return found?.askedBy.some((asked) => words.some((word) => meet(word, asked))) ? undefined : found;
}
