import type { HttpAnswer } from '../../../platform/http/connection.ts';
import { malformed } from '../../../platform/http/read-json.ts';
import { refusalOf, type Service } from '../../../platform/http/refusal.ts';
import type { TooMuch } from './embed-texts.ts';

/** Whether a call succeeded; a refusal that smaller calls may avoid is given back, any other one is thrown. */
export function tooMuchIn(answer: HttpAnswer, service: Service): TooMuch | undefined {
  if (answer.status >= 200 && answer.status < 300) return undefined;
  const { error, tooMuch } = refusalOf(answer, service);
  if (tooMuch) return { error, tooMuch };
  throw error;
}

/** Fails unless there is one vector for each text. */
export function requireCount(rows: readonly unknown[], count: number, service: Service): void {
  if (rows.length !== count) throw malformed(service, `it has ${rows.length} vectors for ${count} texts`);
}
