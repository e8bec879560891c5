import type { QuarryEvent } from '../../../core/events.ts';
import type { Output } from '../terminal/output.ts';
import type { ProgressRenderer } from '../terminal/progress.ts';

const openWarning =
  'Warning: with --open every user and program of this machine reads and changes your projects here.';

/** Shows where a server listens, and its log: one JSON object a line. */
export function createServeProgress(output: Output): ProgressRenderer {
  return {
    end: () => undefined,
    report(event: QuarryEvent) {
      if (event.type === 'server-started') {
        for (const address of event.addresses) output.note(`Listening at ${address}`);
        if (event.open) output.note(openWarning);
        if (event.token !== undefined) {
          output.note('Callers over TCP need a token. This one is valid until the server ends:');
          // Not among the lines of the log.
          output.write?.(`${event.token}\n`);
        }
        output.note('Ctrl-C stops.');
      }
      if (event.type === 'request-answered' || event.type === 'requests-refused') {
        const { type: _, ...entry } = event;
        output.note(JSON.stringify(entry));
      }
    },
  };
}

/** Shows how a server ended. */
export function renderServe({ requests }: { requests: number }, output: Output): void {
  output.note(`Ended after ${requests} requests.`);
}

/** Shows whether there was an engine to end. */
export function renderStop({ stopped, forced }: { stopped: boolean; forced: boolean }, output: Output): void {
  if (forced) output.result('The engine did not answer; its process was ended.');
  else output.result(stopped ? 'The engine ends.' : 'No engine was running.');
}

/** Shows the link, or where the browser was led: the link holds a key, which belongs on no screen without need. */
export function renderUi({ url, opened }: { url: string; opened: boolean }, output: Output): void {
  if (opened) {
    output.note(`Opened ${new URL(url).origin} in your browser.`);
    output.note('Nothing to see? quarry ui --print shows the link; it can be followed once.');
  } else output.result(url);
}
