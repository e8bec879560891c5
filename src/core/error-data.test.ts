import { expect, test } from 'vitest';
import { errorFromData, errorToData } from './error-data.ts';
import { QuarryError } from './errors.ts';

test('an error comes back from data as it was: code, message, remedy, time to wait and cause', () => {
  const cause = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  const error = new QuarryError('provider-limited', 'Too fast.', 'Wait.', { retryAfter: 500, cause });
  const back = errorFromData(structuredClone(errorToData(error)));
  expect(back).toMatchObject({
    code: 'provider-limited',
    message: 'Too fast.',
    remedy: 'Wait.',
    retryAfter: 500,
    cause: { message: 'too many open files', code: 'EMFILE' },
  });
  expect(back).toBeInstanceOf(QuarryError);
});

test('what is no error of Quarry becomes data too, whatever was thrown', () => {
  expect(errorToData('a string')).toMatchObject({ code: 'internal', message: 'a string' });
  expect(errorToData(new TypeError('x'))).toMatchObject({ code: 'internal', cause: { message: 'x' } });
});
