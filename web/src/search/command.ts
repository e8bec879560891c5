import { filterFor, filterNames, type Question } from './questions.ts';

/** The same search on the command line. */
export function commandFor(asked: Question): string {
  const filter = filterFor(asked);
  const flags = filterNames.flatMap((name) => {
    const value = filter[name];
    const values = typeof value === 'string' ? [value] : (value ?? []);
    return values.flatMap((each) => [`--${name}`, quoted(each)]);
  });
  const route = asked.route === '' ? [] : ['--route', asked.route];
  const where =
    asked.projects === '' ? [] : asked.projects === '*' ? ['--all'] : ['--projects', quoted(asked.projects)];
  const top = asked.top === '' ? [] : ['-k', asked.top];
  return ['quarry search', quoted(asked.query.trim()), ...flags, ...where, ...route, ...top].join(' ');
}

/** A word as a shell reads it; what a document says may hold characters that a terminal obeys. */
function quoted(written: string): string {
  const word = written.replace(/\p{Cc}/gu, ' ');
  return /^[\w./:=@%+,-]+$/.test(word) && !word.startsWith('-') ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
