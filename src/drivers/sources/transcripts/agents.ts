import { takeClaudeCode } from './formats/claude-code.ts';
import { takeCodex } from './formats/codex.ts';
import { takeCopilot } from './formats/copilot.ts';
import type { TakeRecord } from './formats/fields.ts';
import { takeGemini } from './formats/gemini.ts';

/** An agent whose transcripts can be read. */
export interface TranscriptAgent {
  readonly name: string;
  /** What people call it, and what is written before what it says. */
  readonly title: string;
  readonly speaker: string;
  /** Where it keeps them: a folder of the user's home, or where its own variable says. */
  readonly variable?: string;
  readonly home: string;
  /** The folder of transcripts within, and what their paths look like below it. */
  readonly folder: string;
  readonly files: RegExp;
  /** Folders within folders that are entered, and of which names; of all where this is absent. */
  readonly depth: number;
  readonly within?: RegExp;
  readonly take: TakeRecord;
  /** The words of a shell that continue a session. */
  resume(id: string): string;
}

/** Every agent that is known; a further one is a row here and its file in `formats/`. */
export const transcriptAgents: readonly TranscriptAgent[] = [
  {
    name: 'claude',
    title: 'Claude Code',
    speaker: 'Claude',
    variable: 'CLAUDE_CONFIG_DIR',
    home: '.claude',
    folder: 'projects',
    files: /^[^/]+\/[^/]+\.jsonl$/,
    depth: 1,
    take: takeClaudeCode,
    resume: (id) => `claude --resume ${id}`,
  },
  {
    name: 'codex',
    title: 'Codex',
    speaker: 'Codex',
    variable: 'CODEX_HOME',
    home: '.codex',
    folder: '.',
    files: /^(?:archived_)?sessions\/(?:[^/]+\/){0,3}rollout-[^/]+\.jsonl(?:\.zst)?$/,
    depth: 4,
    within: /^(?:archived_)?sessions(?:\/|$)/,
    take: takeCodex,
    resume: (id) => `codex resume ${id}`,
  },
  {
    name: 'gemini',
    title: 'Gemini CLI',
    speaker: 'Gemini',
    home: '.gemini',
    folder: 'tmp',
    files: /^[^/]+\/(?:chats\/session-[^/]+\.jsonl?|logs\.json)$/,
    depth: 2,
    take: takeGemini,
    resume: (id) => `gemini --resume ${id}`,
  },
  {
    name: 'copilot',
    title: 'Copilot CLI',
    speaker: 'Copilot',
    variable: 'COPILOT_HOME',
    home: '.copilot',
    folder: 'session-state',
    files: /^(?:[^/]+\/events|[^/]+)\.jsonl$/,
    depth: 1,
    take: takeCopilot,
    resume: (id) => `copilot --resume=${id}`,
  },
];
