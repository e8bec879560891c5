import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve, sep } from 'node:path';
import type { Source, SourceEntry } from '../../../contracts/source.ts';
import {
  agentOf,
  conversationUri,
  isConversation,
  type SessionTranscript,
} from '../../../core/documents/conversation.ts';
import { pathScope } from '../../../core/documents/path-scope.ts';
import { interrupted, messageOf, QuarryError } from '../../../core/errors.ts';
import { isInside } from '../../../platform/contained-path.ts';
import type { Environment } from '../../../platform/environment.ts';
import { realPath } from '../../../platform/real-path.ts';
import { type TranscriptAgent, transcriptAgents } from './agents.ts';
import type { FoldedSession } from './folding.ts';
import { readHead, readSession } from './read-session.ts';
import { openSessionCache } from './session-cache.ts';
import { type SessionFile, sessionFiles } from './session-files.ts';

/** Transcripts of one agent, as the user named them. */
export interface NamedTranscripts {
  readonly agent: string;
  /** Of all folders, not only of the project's. */
  readonly everywhere: boolean;
}

/** What transcripts are read with. */
export interface TranscriptSourceOptions {
  /** The project's folder, absolute. */
  readonly project: string;
  /** The user's home. */
  readonly home: string;
  readonly environment: Environment;
  /** Where sessions are kept as far as they were read. */
  readonly cacheFolder: string;
  /** Blacks out secrets: what is kept and given is without them. */
  readonly redact: (text: string) => string;
  /** What the user has named at this moment. */
  readonly named: () => Promise<readonly NamedTranscripts[]>;
}

/** A session that was written to this recently may be going on: its last question is left for later. */
const restMilliseconds = 5 * 60_000;

/** The end of the year 9999. */
const lastMoment = 253_402_300_799_999;

/** What is known of a file from its beginning, as long as it does not get shorter. */
const heads = new Map<string, { readonly size: number; readonly head: FoldedSession }>();
const maxHeads = 50_000;

/** The sessions of the agents that the user has named, one document each; nothing where none is. */
export function createTranscriptSource(options: TranscriptSourceOptions): Source {
  const { project, home, environment, redact } = options;
  const cache = openSessionCache(options.cacheFolder);
  let paths = new Map<string, Found>();

  async function* walk(signal: AbortSignal | undefined): AsyncGenerator<SourceEntry> {
    const found = new Map<string, Found>();
    for (const { agent: name, everywhere } of await options.named()) {
      const agent = transcriptAgents.find((one) => one.name === name);
      if (!agent) continue;
      const folder = transcriptFolder(agent, home, environment);
      const { files, unread } = await sessionFiles(folder, agent).catch((cause: unknown) => ({
        files: [],
        unread: { path: folder, cause },
      }));
      if (unread) yield missing(agent, unread.path, unread.cause);
      // A folder that leads nowhere is compared as it was named.
      const real = await realPath(project).catch(() => project);
      for (const file of files) {
        if (signal?.aborted) throw interrupted(signal.reason);
        const entry = await examine(file, agent, { projects: [project, real], home, everywhere, found });
        if (entry) yield entry;
      }
    }
    paths = found;
  }

  return {
    async *scan({ only, signal } = {}) {
      const scope = only && pathScope(only);
      for await (const entry of walk(signal))
        if (!scope || (entry.kind === 'file' && scope.holds(entry.file.uri))) yield entry;
    },
    async read(uri) {
      if (!paths.has(uri)) for await (const _ of walk(undefined));
      const known = paths.get(uri);
      if (!known) throw notFound(uri);
      const { agent, file, folder } = known;
      const session = await readSession(file.path, { agent, cache, redact });
      const transcript = transcriptOf(session, known, isGoingOn(file), home, folder);
      return Buffer.from(JSON.stringify(transcript));
    },
  };
}

/** Where an agent keeps its transcripts. */
export function transcriptFolder(agent: TranscriptAgent, home: string, environment: Environment): string {
  const chosen = agent.variable === undefined ? undefined : environment(agent.variable);
  return join(chosen ? resolve(chosen) : join(home, agent.home), agent.folder);
}

/** A session with its file. */
interface Found {
  readonly agent: TranscriptAgent;
  readonly file: SessionFile;
  readonly folder: string;
  readonly id: string;
}

interface Examined {
  /** The project's folder as it was named, and with links resolved. */
  readonly projects: readonly string[];
  readonly home: string;
  readonly everywhere: boolean;
  readonly found: Map<string, Found>;
}

/** A session as the scan reports it; nothing where it is of another folder, or gone meanwhile. */
async function examine(
  file: SessionFile,
  agent: TranscriptAgent,
  { projects, home, everywhere, found }: Examined,
): Promise<SourceEntry | undefined> {
  const shown = `conversation:${agent.name}/${file.below}`;
  const skipped = (reason: 'unreadable' | 'unsupported', rule: string): SourceEntry => ({
    kind: 'skipped',
    skipped: { uri: shown, reason, rule },
  });
  // Most folders of Claude Code can be recognised by their names.
  const isElsewhere = agent.name === 'claude' && !projects.some((one) => file.below.startsWith(encoded(one)));
  if (!everywhere && isElsewhere) return undefined;
  let head: FoldedSession;
  try {
    head = await headOf(file, agent);
  } catch (thrown) {
    return skipped('unreadable', messageOf(thrown));
  }
  const { facts } = head;
  const folder = facts.folder ?? (await folderBeside(file, agent, projects)) ?? '';
  const isHere = folder !== '' && projects.some((one) => isInside(one, resolve(folder)));
  if (!everywhere && !isHere) return undefined;
  if (facts.leftOut) return skipped('unsupported', facts.leftOut);
  const id = facts.id ?? idIn(file.below);
  // A name must stay as it is while the file grows.
  const startedAt = facts.startedAt ?? 0;
  const uri = conversationUri({
    agent: agent.name,
    folder: partsOf(folder, home),
    day: new Date(Math.min(Math.max(startedAt, 0), lastMoment)).toISOString().slice(0, 10),
    id,
  });
  if (found.has(uri)) return skipped('unsupported', 'another file holds the same session');
  found.set(uri, { agent, file, folder, id });
  const { size, changedAt } = file;
  // As long as it may be going on it is as new as this moment, so that it is looked at again.
  const modifiedAt = isGoingOn(file) ? Date.now() : file.modifiedAt;
  return { kind: 'file', file: { uri, size, modifiedAt, changedAt } };
}

async function headOf(file: SessionFile, agent: TranscriptAgent): Promise<FoldedSession> {
  const known = heads.get(file.path);
  const isWhole = (known?.head.facts.folder ?? known?.head.facts.id) !== undefined;
  if (known && (known.size === file.size || (known.size < file.size && isWhole))) return known.head;
  const { facts, ...rest } = await readHead(file.path, agent);
  const head = { ...rest, facts, turns: [] };
  if (heads.size >= maxHeads) heads.clear();
  heads.set(file.path, { size: file.size, head });
  return head;
}

/** How Claude Code names the folder of transcripts for a folder. */
function encoded(folder: string): string {
  return folder.replace(/[^a-zA-Z0-9]/g, '-');
}

/** Gemini names the folder of a project in a file beside its sessions, or by a hash alone. */
async function folderBeside(
  file: SessionFile,
  agent: TranscriptAgent,
  projects: readonly string[],
): Promise<string | undefined> {
  const [name = ''] = file.below.split('/');
  if (agent.name === 'copilot') return workspaceFolder(file);
  if (agent.name === 'claude') return projects.find((one) => encoded(one) === name);
  if (agent.name !== 'gemini') return undefined;
  const folder = file.below.includes('/chats/') ? dirname(dirname(file.path)) : dirname(file.path);
  const root = await smallText(join(folder, '.project_root'));
  if (root !== undefined) return root.trim();
  return projects.find((one) => name === createHash('sha256').update(one).digest('hex'));
}

async function workspaceFolder(file: SessionFile): Promise<string | undefined> {
  const written = await smallText(join(dirname(file.path), 'workspace.yaml'));
  return /^cwd:[ \t]*['"]?([^'"\n]{1,1000})/m.exec(written ?? '')?.[1]?.trim();
}

async function smallText(path: string): Promise<string | undefined> {
  try {
    const stats = await stat(path);
    return stats.isFile() && stats.size < 65_536 ? await readFile(path, 'utf8') : undefined;
  } catch {
    // Not there.
    return undefined;
  }
}

/** The name of the file, or of its folder where all files have the same name. */
function idIn(below: string): string {
  const parts = below.replace(/\.jsonl?(?:\.zst)?$/, '').split('/');
  const last = parts.at(-1) ?? '';
  return last === 'events' || last === 'logs' ? (parts.at(-2) ?? last) : last;
}

function partsOf(folder: string, home: string): string[] {
  if (folder === '') return [];
  const way = relative(home, folder);
  const isBelow = way !== '' && !way.startsWith('..') && isInside(home, folder);
  return (isBelow ? way : folder)
    .split(/[\\/]/)
    .filter((part) => part !== '' && part !== '.' && part !== '..');
}

function isGoingOn({ modifiedAt }: SessionFile): boolean {
  return Math.abs(Date.now() - modifiedAt) < restMilliseconds;
}

function transcriptOf(
  { facts, turns, dropped, unknown, broken }: FoldedSession,
  { agent, id }: Found,
  goesOn: boolean,
  home: string,
  folder: string,
): SessionTranscript {
  const closed = goesOn ? turns.slice(0, -1) : turns;
  const title = facts.title ?? '';
  const isBelowHome = folder !== '' && isInside(home, folder) && folder !== home;
  return {
    agent: agent.name,
    agentTitle: agent.title,
    speaker: agent.speaker,
    id,
    title,
    folder,
    shownFolder: isBelowHome ? `~${sep}${relative(home, folder)}` : folder,
    ...(facts.startedAt !== undefined && { startedAt: facts.startedAt }),
    ...(facts.branch !== undefined && { branch: facts.branch }),
    ...(/^[A-Za-z0-9_-]{4,100}$/.test(id) && { resume: resumeCommand(agent, id, folder) }),
    turns: closed.map(({ at, prompt, reply }) => ({
      ...(at !== undefined && { at }),
      prompt,
      reply: reply.map(({ kind, text }) => ({ kind, text })),
    })),
    notes: [
      ...(dropped > 0 ? [`the first ${dropped} questions left out: too much text`] : []),
      ...(broken > 0 ? [`${broken} records cannot be read`] : []),
      ...(unknown > 0 ? [`${unknown} records of an unknown kind`] : []),
    ],
  };
}

/** What continues a session, in its folder; a folder whose name a shell would read otherwise is left to the reader. */
function resumeCommand(agent: TranscriptAgent, id: string, folder: string): string {
  const command = agent.resume(id);
  if (folder === '' || !/^[^\p{Cc}'"`$\\]{1,500}$/u.test(folder)) return command;
  return `cd ${/^[\w./~@+-]+$/.test(folder) ? folder : `'${folder}'`} && ${command}`;
}

function missing(agent: TranscriptAgent, folder: string, cause: unknown): SourceEntry {
  const error = new QuarryError(
    'file-unreadable',
    `The transcripts of ${agent.title} in ${folder} cannot be read: ${messageOf(cause)}.`,
    `Mount or restore the folder, or run: quarry source remove ${agent.name}`,
    { cause },
  );
  return {
    kind: 'skipped',
    skipped: { uri: `conversation:${agent.name}`, reason: 'unreadable', rule: messageOf(cause) },
    trouble: { error, isEmpty: false, holds: (uri) => isConversation(uri) && agentOf(uri) === agent.name },
  };
}

function notFound(uri: string): QuarryError {
  return new QuarryError('file-unreadable', `The session ${uri} is no longer there.`, 'Index again.', {
    cause: { code: 'ENOENT' },
  });
}
