import { asking } from '../../api/session.ts';
import type { DrawAnswer, DrawnPage } from './draw.ts';
import workerAddress from './draw-worker.ts?worker&url';
import type { WordOnPage } from './words.ts';

/** A file, and the words that were recognised in its pictures. */
export interface Original {
  readonly type: string;
  readonly base64: string;
  readonly recognised: readonly (WordOnPage & { readonly page: number })[];
}

/** Milliseconds that drawing one page may take. */
const drawsWithin = 20_000;
/** Pixels across that are drawn at most: what a screen of this density shows in the pane. */
const maxWidth = 1600;

interface Answered {
  readonly media_type: string;
  readonly base64: string;
  readonly words: readonly (readonly [string, number, number, number, number, number])[];
}

/** The file as it was indexed; fails where it reads otherwise by now, is of another kind, or the reader is not its owner. */
export async function originalOf(project: string, path: string): Promise<Original> {
  const address = `/v1/projects/${encodeURIComponent(project)}/reader/original`;
  const answer = (await asking((client) => client.request('POST', address, { path }))) as Answered;
  return {
    type: answer.media_type,
    base64: answer.base64,
    recognised: answer.words.map(([word, page, left, top, width, height]) => ({
      word,
      page,
      left,
      top,
      width,
      height,
    })),
  };
}

/** Draws a page in a thread of its own, which is ended where it takes too long. */
export async function drawPage({ base64, type }: Original, page: number): Promise<DrawnPage> {
  const worker = new Worker(allowed(workerAddress), { type: 'module' });
  try {
    const answer = await new Promise<DrawAnswer>((resolve, reject) => {
      const signal = AbortSignal.timeout(drawsWithin);
      signal.addEventListener('abort', () => reject(new Error('it takes too long to draw')));
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => resolve(data);
      worker.addEventListener('error', () => reject(new Error('it cannot be drawn here')));
      const width = Math.min(maxWidth, Math.round(900 * devicePixelRatio));
      worker.postMessage({ base64, type, page, width }, [port2]);
    });
    if ('failure' in answer) throw new Error(answer.failure);
    return answer;
  } finally {
    worker.terminate();
  }
}

let policy: { createScriptURL(text: string): unknown } | undefined;

/** The address of the one script that may run in a thread, in the form that the policy of the page wants. */
function allowed(address: string): string {
  const { trustedTypes } = globalThis as {
    trustedTypes?: { createPolicy(name: string, rules: object): typeof policy };
  };
  if (!trustedTypes) return address;
  policy ??= trustedTypes.createPolicy('drawing', {
    createScriptURL: (text: string) => {
      if (text !== workerAddress) throw new TypeError('not the script that draws');
      return text;
    },
  });
  return policy?.createScriptURL(address) as string;
}
