import { QuarryError } from '../../core/errors.ts';
import type { HttpAnswer } from './connection.ts';
import { parsed, type Service, wordsOf } from './refusal.ts';

/** The JSON of a successful answer. */
export function jsonOf(answer: HttpAnswer, service: Service): unknown {
  const body = parsed(answer.body);
  if (body === undefined) throw malformed(service, 'it is not JSON', answer);
  return body;
}

/** The error for a successful answer that is not what the protocol says. */
export function malformed(service: Service, what: string, answer?: HttpAnswer): QuarryError {
  const words = answer ? wordsOf(parsed(answer.body), answer.body, service) : '';
  return new QuarryError(
    'provider-refused',
    `The answer of ${service.host} cannot be understood: ${what}${words ? ` (${words})` : ''}.`,
    `Check that ${service.table}.url and ${service.table}.driver fit the server.`,
  );
}
