import { expect, test } from 'vitest';
import { loadOperations } from '../../operations/catalogue.ts';
import { parseWords } from './flags.ts';

const operations = await loadOperations();
const search = operations.find(({ name }) => name === 'search') ?? operations[0];

test.each(['eval', 'help', 'cache stats', '--help', '--json', '-h', '--'])(
  'a query is searched, whatever it looks like: %s',
  (query) => {
    const { input, common } = parseWords(search as NonNullable<typeof search>, ['--', ...query.split(' ')]);
    expect(input.query).toBe(query);
    expect(common).toMatchObject({ help: false, json: false });
  },
);
