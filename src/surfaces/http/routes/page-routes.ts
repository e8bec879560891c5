import type { Hono } from 'hono';
import { z } from 'zod';
import { QuarryError } from '../../../core/errors.ts';
import type { PageSessions } from '../../../engine/page-sessions.ts';
import type { LiveRequests } from '../requests/live-requests.ts';
import { readInput } from '../requests/read-input.ts';
import { type RequestContext, type RequestOf, requireOwner } from '../requests/request-context.ts';
import { openParserFiles, type PageFile, readPageFiles } from './page-files.ts';

/**
 * What the page may do: run its own scripts and styles, ask its own server, and nothing else. Markup that a document
 * smuggles in cannot run, and a script cannot even turn a text into markup.
 */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // One script that draws pages of PDFs runs in a thread; its policy takes no other address.
  'trusted-types drawing',
].join('; ');

/** The thread that draws pages may besides run the decoders of the parser, which are compiled code: it has no document and no session. */
const drawingPolicy = policy.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'");

const headers = {
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  vary: 'accept-encoding',
};

function headersOf(path: string): Readonly<Record<string, string>> {
  const isDrawing = /^\/assets\/draw-worker-[\w-]+\.js$/.test(path);
  return isDrawing ? { ...headers, 'content-security-policy': drawingPolicy } : headers;
}

/** What the page needs of a server. */
export interface PageParts {
  readonly sessions: PageSessions;
  readonly live: LiveRequests;
  /** An address on loopback where the page is served; from now on, if it was not before. */
  pageAddress(): Promise<string>;
}

/** The page, the link that opens it, and the session that the link begins. */
export function addPageRoutes(app: Hono<RequestContext>, { sessions, live, pageAddress }: PageParts): void {
  let files: Promise<ReadonlyMap<string, PageFile>> | undefined;
  const parserFile = openParserFiles();
  const send = async (c: RequestOf, path: string): Promise<Response> => {
    files ??= readPageFiles();
    const built = (await files).get(path);
    const file = built ?? (await parserFile(path));
    if (!file) return c.notFound();
    const isFixed = built !== undefined && path.startsWith('/assets/');
    const caching = {
      etag: file.tag,
      // The name of an asset changes with its content.
      'cache-control': isFixed ? 'public, max-age=31536000, immutable' : 'no-cache',
    };
    if (c.req.header('if-none-match') === file.tag)
      return c.body(null, 304, { ...headersOf(path), ...caching });
    const isZipped = c.req.header('accept-encoding')?.includes('gzip') === true;
    return c.body(isZipped ? file.zipped : file.bytes, 200, {
      ...headersOf(path),
      ...caching,
      'content-type': file.type,
      ...(isZipped && { 'content-encoding': 'gzip' }),
    });
  };
  app.get('/', (c) => send(c, '/index.html'));
  app.get('/icon.svg', (c) => send(c, '/icon.svg'));
  app.get('/assets/:name', (c) => send(c, `/assets/${c.req.param('name')}`));
  app.post('/v1/engine/page', async (c) => {
    requireOwner(c);
    return c.json({ address: await pageAddress(), key: sessions.invite() }, 201, {
      'cache-control': 'no-store',
    });
  });
  app.post('/v1/session', async (c) => {
    // Nobody is known here yet: little is read.
    const { key } = keySchema.safeParse(await readInput(c, { bytes: 1024 })).data ?? { key: '' };
    const token = sessions.admit(key);
    if (token === undefined) throw linkUsed();
    return c.json({ token }, 201, { 'cache-control': 'no-store' });
  });
  app.delete('/v1/session', async (c) => {
    c.get('grant').credential?.end?.();
    // What else the session has under way is cut now; this request is answered first.
    c.env.outgoing.once('close', () => void live.look());
    return c.body(null, 204);
  });
}

const keySchema = z.object({ key: z.string().max(200) });

function linkUsed(): QuarryError {
  return new QuarryError(
    'token-invalid',
    'This link has been used already, or is too old.',
    'Open the page again with: quarry ui',
  );
}
