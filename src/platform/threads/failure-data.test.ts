import { expect, test } from 'vitest';
import { QuarryError } from '../../core/errors.ts';
import { failureFromData, failureToData } from './failure-data.ts';

test('an error comes back from data as it was: code, message, remedy, time to wait and cause', () => {
  const cause = Object.assign(new Error('too many open files'), { code: 'EMFILE' });
  const error = new QuarryError('provider-limited', 'Too fast.', 'Wait.', { retryAfter: 500, cause });
  const back = failureFromData(structuredClone(failureToData(error)));
  expect(back).toMatchObject({
    code: 'provider-limited',
    message: 'Too fast.',
    remedy: 'Wait.',
    retryAfter: 500,
    cause: { message: 'too many open files', code: 'EMFILE' },
  });
  expect(back).toBeInstanceOf(QuarryError);
});

test('what is no error of Quarry becomes data too, and names the machine where that is to blame', () => {
  expect(failureToData('a string')).toMatchObject({ code: 'internal', message: 'a string' });
  expect(failureToData(new TypeError('x'))).toMatchObject({ code: 'internal', cause: { message: 'x' } });
  const full = Object.assign(new Error('no memory'), { code: 'ENOMEM' });
  expect(failureToData(full)).toMatchObject({ code: 'machine-failed', cause: { code: 'ENOMEM' } });
});
