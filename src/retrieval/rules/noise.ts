import type { DocumentRecord } from '../../core/document.ts';
import { testPath } from '../../core/documents/test-path.ts';
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
    pattern: testPath,
    factor: 0.35,
    askedBy: ['test', 'spec', 'e2e', 'assertion'],
  },
  {
    name: 'example',
    pattern: /(?:^|\/)_?(?:examples?|samples?|demos?|tutorials?|playground)\//i,
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
    pattern:
      /(?:^|\/)(?:_?vendor(?:ed)?|third[_-]?party|extern(?:als?)?|node_modules|bower_components)\/|[^/]\/packages\/.*\.py$/i,
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
  {
    // Each of its lines speaks of something that is elsewhere.
    name: 'changelog',
    pattern:
      /(?:^|\/)(?:changelog|changes|news|history|releases?|release[_-]?notes?|upgrading|migrat\w*)(?:[-_][^/.]*|[-_]?\d[\d.]*)?(?:\.(?:md|markdown|rst|txt|adoc|org|html?))?$/i,
    factor: 0.5,
    askedBy: 'change changelog release version upgrade migrate history news deprecate'.split(' '),
  },
  {
    name: 'licence',
    pattern:
      /(?:^|\/)(?:licen[cs]e|copying|copyright|notice|authors|contributors|patents|thanks|credits)(?:[-_][^/.]*|[-_]?\d[\d.]*)?(?:\.(?:md|markdown|rst|txt|adoc|org|html?))?$/i,
    factor: 0.35,
    askedBy: 'license licence copyright author notice contributor patent'.split(' '),
  },
  {
    // What a package is made of: its words name everything in the project, and explain nothing.
    name: 'manifest',
    pattern:
      /(?:^|\/)(?:(?:package|composer|bower|tsconfig[^/]*)\.json|(?:cargo|pyproject)\.toml|setup\.(?:py|cfg)|pom\.xml|[^/]+\.(?:opam|cabal|gemspec|csproj|nuspec|podspec)|go\.(?:mod|sum)|configure(?:\.ac)?|makefile[^/]*|cmakelists\.txt|meson\.build|build\.gradle(?:\.kts)?)$/i,
    factor: 0.35,
    askedBy:
      'package manifest dependency dependencies install build compile script configure version require target make'.split(
        ' ',
      ),
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
