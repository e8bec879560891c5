import { QuarryError } from '../../../core/errors.ts';
import type { HttpAnswer } from './connection.ts';
import type { TooMuch } from './embed-texts.ts';
import { parsed, refusalOf, type Service, wordsOf } from './refusal.ts';

/** Whether a call succeeded; a refusal that smaller calls may avoid is given back, any other one is thrown. */
export function tooMuchIn(answer: HttpAnswer, service: Service): TooMuch | undefined {
  if (answer.status >= 200 && answer.status < 300) return undefined;
  const { error, tooMuch } = refusalOf(answer, service);
  if (tooMuch) return { error, tooMuch };
  throw error;
}

/** The JSON of a successful answer. */
export function jsonOf(answer: HttpAnswer, service: Service): unknown {
  const body = parsed(answer.body);
  if (body === undefined) throw malformed(service, 'it is not JSON', answer);
  return body;
}

/** Fails unless there is one vector for each text. */
export function requireCount(rows: readonly unknown[], count: number, service: Service): void {
  if (rows.length !== count) throw malformed(service, `it has ${rows.length} vectors for ${count} texts`);
}

/** The error for a successful answer that is not what the protocol says. */
export function malformed(service: Service, what: string, answer?: HttpAnswer): QuarryError {
  const words = answer ? wordsOf(parsed(answer.body), answer.body, service) : '';
  return new QuarryError(
    'provider-refused',
    `The answer of ${service.host} cannot be understood: ${what}${words ? ` (${words})` : ''}.`,
    'Check that embedder.url and embedder.driver fit the server.',
  );
}
