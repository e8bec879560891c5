import { QuarryError } from '../core/errors.ts';
import { shownSetting } from '../core/settings/shown-setting.ts';
import type { GivenSettings } from './evaluation-set.ts';

/** A way of asking the questions. */
export interface Run {
  readonly name: string;
  /** Settings above those of files and environment. */
  readonly settings: GivenSettings;
  /** 1 is vectors alone, 0 is text alone; by default that of the settings. */
  readonly denseWeight?: number;
}

/** Two runs, by name; the second is the one that is judged. */
export type RunPair = readonly [before: string, after: string];

/** What is asked for in addition to the engine as it is configured. */
export interface RunChoices {
  /** A second configuration as `KEY=VALUE`, one entry for each setting. */
  readonly with: readonly string[];
  /** Also ask vectors alone and text alone. */
  readonly modes: boolean;
  /** Use text search only, in every run. */
  readonly text_only: boolean;
}

/** The runs in their order, the engine first, and which of them are compared. */
export function planRuns(
  choices: RunChoices,
  settings: GivenSettings,
): { readonly runs: readonly Run[]; readonly pairs: readonly RunPair[] } {
  if (choices.text_only && choices.modes)
    throw new QuarryError(
      'usage-invalid',
      '--modes searches by vectors too, and --text-only by words alone.',
      'Leave one of them out.',
    );
  const weight = choices.text_only ? { denseWeight: 0 } : {};
  const engine: Run = { name: choices.text_only ? 'text' : 'engine', settings, ...weight };
  const runs = [engine];
  const pairs: RunPair[] = [];
  if (choices.modes) {
    runs.push({ name: 'vectors', settings, denseWeight: 1 }, { name: 'text', settings, denseWeight: 0 });
    pairs.push(['vectors', engine.name], ['text', engine.name]);
  }
  if (choices.with.length > 0) {
    const tried = choices.with.map(settingOf);
    const name = tried.map(([key, value]) => `${key}=${shownSetting(key, value)}`).join(' ');
    runs.push({ name, settings: { ...settings, ...Object.fromEntries(tried) }, ...weight });
    pairs.push([engine.name, name]);
  }
  return { runs, pairs };
}

function settingOf(pair: string): [key: string, value: string] {
  const at = pair.indexOf('=');
  if (at >= 1) return [pair.slice(0, at), pair.slice(at + 1)];
  throw new QuarryError('usage-invalid', `--with ${pair} has no "=".`, 'Write it as --with search.top_k=10.');
}
