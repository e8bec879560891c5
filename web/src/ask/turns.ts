import { effect, signal, untracked } from '@preact/signals';
import type { EventData, QuarryError } from '../../../src/client/index.ts';
import { type Progress, progressOf } from '../../../src/core/progress.ts';
import { perform, type ResultOf } from '../api/operations.ts';
import { asError } from '../api/session.ts';
import { route } from '../shell/route.ts';

/** Turns that are kept, and how many of them a new question leans on. */
const maxKept = 30;
const maxRemembered = 4;

/** A question and what came of it. */
export interface Turn {
  readonly id: string;
  readonly question: string;
  /** What has been written so far. */
  readonly text: string;
  readonly progress?: Progress | undefined;
  readonly result?: ResultOf<'ask'>;
  readonly error?: QuarryError;
  readonly isStopped?: boolean;
}

const turns = signal<readonly Turn[]>([]);

/** The question that is being answered. */
export const running = signal<{ readonly id: string; readonly stop: AbortController } | undefined>(undefined);

/** The project whose questions these are. */
const owner = signal<string | undefined>(undefined);

// An answer continues while the reader looks at another view, but not at another project.
effect(() => {
  if (route.value.project !== owner.value) untracked(stopAnswer);
});

/** The questions of a project, oldest first; they stay in this browser. None until they are loaded. */
export function turnsOf(project: string): readonly Turn[] {
  return owner.value === project ? turns.value : [];
}

/** Loads the kept questions of a project, unless one of them is being answered. */
export function loadTurns(project: string): void {
  if (owner.value === project && running.value) return;
  stopAnswer();
  owner.value = project;
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(project)) ?? '[]');
    turns.value = Array.isArray(kept) ? (kept as Turn[]) : [];
  } catch {
    // What is no list of ours is written over with the next question.
    turns.value = [];
  }
}

/** Stops the answer that is being written; what there is of it is kept. */
export function stopAnswer(): void {
  if (!running.value || owner.value === undefined) return;
  const { id, stop } = running.value;
  running.value = undefined;
  change(id, { isStopped: true, progress: undefined });
  keep(owner.value);
  stop.abort();
}

/** Forgets all questions of a project. */
export function forgetTurns(project: string): void {
  stopAnswer();
  turns.value = [];
  localStorage.removeItem(keyOf(project));
}

/** Asks, and shows the answer as it is written. */
export async function ask(project: string, question: string): Promise<void> {
  stopAnswer();
  // Over plain http from another machine a browser makes no random identities.
  const id = `${Date.now()} ${turns.value.length}`;
  const stop = new AbortController();
  const history = turns.value.slice(-maxRemembered).flatMap(({ question: asked, result }) =>
    result
      ? [
          { role: 'user' as const, content: asked },
          { role: 'assistant' as const, content: result.answer },
        ]
      : [],
  );
  turns.value = [...turns.value, { id, question, text: '' }].slice(-maxKept);
  running.value = { id, stop };
  try {
    const onEvent = (event: EventData) => follow(id, event);
    const result = await perform(project, 'ask', { question, history }, { signal: stop.signal, onEvent });
    end(id, { result, progress: undefined });
  } catch (thrown) {
    end(id, { error: asError(thrown), progress: undefined });
  }
}

/** What came of a question, unless it was stopped before. */
function end(id: string, what: Partial<Turn>): void {
  if (running.value?.id !== id || owner.value === undefined) return;
  running.value = undefined;
  change(id, what);
  keep(owner.value);
}

function follow(id: string, event: EventData): void {
  const turn = turns.value.find((known) => known.id === id);
  if (!turn || running.value?.id !== id) return;
  if (event.type === 'answer-text') change(id, { text: turn.text + event.text, progress: undefined });
  // An event as data has all that progress is shown by.
  else change(id, { progress: progressOf(event as Parameters<typeof progressOf>[0], turn.progress) });
}

function change(id: string, what: Partial<Turn>): void {
  turns.value = turns.value.map((turn) => (turn.id === id ? { ...turn, ...what } : turn));
}

function keep(project: string): void {
  // Texts of sources are read again when they are looked at.
  const light = turns.value.map(({ result, error: _, progress: __, ...turn }) => ({
    ...turn,
    ...(result && {
      result: { ...result, sources: result.sources.map((source) => ({ ...source, text: '' })) },
    }),
  }));
  try {
    localStorage.setItem(keyOf(project), JSON.stringify(light));
  } catch {
    // A browser without room keeps what it has.
  }
}

function keyOf(project: string): string {
  return `quarry.answers.${project}`;
}
