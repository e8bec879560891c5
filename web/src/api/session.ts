import { signal } from '@preact/signals';
import { type Client, connect, QuarryError } from '../../../src/client/index.ts';

/** Where the token is kept: by origin, port included, so that no other server of this machine sees it. */
const kept = 'quarry.token';

/** What is kept of the looks of the page. All else that it keeps tells what was asked and found. */
const looks: readonly string[] = ['quarry.theme', 'quarry.editor'];

/** The other tabs of this browser, which are told when the reader signs out. */
const otherTabs = new BroadcastChannel('quarry.session');

/** Beside the page, wherever a proxy has put it. */
const base = new URL('.', location.href);

/** Why the page has to be opened again, or a token given; undefined while the server answers. */
export const refusal = signal<QuarryError | undefined>(undefined);

/** Whether the server has stopped answering. */
export const isLost = signal(false);

/** Milliseconds that the server has for a short answer. A request can hang for ever, and the page would wait with it. */
const answersWithin = 20_000;

let client: Client = connectWith({});

/** The client of the server that served this page. */
export function server(): Client {
  return client;
}

/** Uses a token from now on, in all tabs; without one, what the server allows without. */
export function useToken(token: string | undefined): void {
  if (token === undefined) localStorage.removeItem(kept);
  else localStorage.setItem(kept, token);
  reconnect();
}

/** Whether a token is in use. */
export function hasToken(): boolean {
  return localStorage.getItem(kept) !== null;
}

/** Ends the session on the server and forgets in this browser what was seen in it, in all tabs. */
export async function signOut(): Promise<void> {
  const leaving = client;
  for (const key of Object.keys(localStorage)) if (!looks.includes(key)) localStorage.removeItem(key);
  // A server that is gone has forgotten the session by itself.
  await leaving.request('DELETE', '/v1/session').catch(() => undefined);
  otherTabs.postMessage('signed-out');
  beginAgain();
}

/** Loads the page again, without what its address says and its memory holds. */
function beginAgain(): void {
  history.replaceState(null, '', base);
  location.reload();
}

/** Ends a request whose answer is due by now. */
export function timeLimit(): AbortSignal {
  return AbortSignal.timeout(answersWithin);
}

/** Work on a project may take its time; every other answer is short. */
function connectWith(options: { readonly token?: string }): Client {
  const unlimited = connect(base, options);
  return {
    ...unlimited,
    request: (method, path, body) => unlimited.request(method, path, body, timeLimit()),
  };
}

function reconnect(): void {
  const token = localStorage.getItem(kept);
  client = connectWith(token === null ? {} : { token });
  refusal.value = undefined;
}

/**
 * Begins the page: follows a link with a key, which is taken out of the address before anything else happens, so that it
 * is neither in the history nor seen by another.
 */
export async function enter(replaceAddress: (address: string) => void): Promise<void> {
  reconnect();
  addEventListener('storage', ({ key }) => key === kept && reconnect());
  otherTabs.addEventListener('message', beginAgain);
  const words = new URLSearchParams(location.hash.slice(1));
  const key = words.get('key');
  if (key === null) return;
  replaceAddress(`#${words.get('to') ?? '/'}`);
  try {
    const { token } = (await connect(base).request('POST', '/v1/session', { key })) as { token: string };
    useToken(token);
  } catch (thrown) {
    // A tab that was opened by the link before may have a token still.
    if (!hasToken()) refusal.value = asError(thrown);
  }
}

/** What was thrown, as an error with a remedy. */
export function asError(thrown: unknown): QuarryError {
  if (thrown instanceof QuarryError) return hasTimedOut(thrown) ? unanswered(thrown) : thrown;
  return new QuarryError('internal', String(thrown), 'Load the page again, and report this as a defect.');
}

function hasTimedOut({ cause }: QuarryError): boolean {
  return cause instanceof DOMException && cause.name === 'TimeoutError';
}

function unanswered(cause: QuarryError): QuarryError {
  const message = `The server has not answered within ${answersWithin / 1000} seconds.`;
  return new QuarryError('server-unreachable', message, 'The page asks again by itself.', { cause });
}

/** Asks the server; a token that is no longer valid is dropped, and the question asked again without one. */
export async function asking<Answer>(ask: (client: Client) => Promise<Answer>): Promise<Answer> {
  const asked = client;
  try {
    const answer = await ask(asked);
    isLost.value = false;
    return answer;
  } catch (thrown) {
    const error = asError(thrown);
    if (error.code !== 'interrupted')
      isLost.value = ['server-unreachable', 'answer-lost'].includes(error.code);
    if (error.code !== 'token-invalid') throw error;
    // The reader has entered meanwhile: the refusal was for the previous token.
    if (asked !== client) return asking(ask);
    if (hasToken()) {
      useToken(undefined);
      return asking(ask);
    }
    refusal.value = error;
    throw error;
  }
}
