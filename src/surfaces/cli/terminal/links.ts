import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Environment } from '../../../platform/environment.ts';

/** Variables that only terminals with links set. */
const ofTerminals = [
  'WT_SESSION',
  'KITTY_WINDOW_ID',
  'WEZTERM_PANE',
  'KONSOLE_VERSION',
  'DOMTERM',
  'GHOSTTY_RESOURCES_DIR',
];
const programs = ['iTerm.app', 'WezTerm', 'vscode', 'ghostty', 'Hyper', 'Tabby', 'zed', 'mintty', 'rio'];
/** The first release of the library under GNOME Terminal and others that has links: 0.50. */
const firstVte = 5000;

/** Whether a terminal shows links (OSC 8), as far as its variables say. FORCE_HYPERLINK decides where it is set. */
export function hasLinks(isTerminal: boolean, environment: Environment): boolean {
  const forced = environment('FORCE_HYPERLINK');
  if (forced !== undefined) return forced !== '0';
  const term = environment('TERM') ?? '';
  if (!isTerminal || environment('NO_COLOR') || environment('CI') || term === 'dumb') return false;
  return (
    ofTerminals.some((name) => environment(name)) ||
    programs.includes(environment('TERM_PROGRAM') ?? '') ||
    Number(environment('VTE_VERSION') ?? 0) >= firstVte ||
    /kitty|alacritty|foot|ghostty|wezterm/.test(term)
  );
}

/** A text that leads to a file of a folder. What could end the link or control the terminal is percent-encoded. */
export function linkTo(folder: string, path: string, text: string): string {
  const address = pathToFileURL(join(folder, path)).href.replace(/[^!-~]/g, encodeURIComponent);
  return `\u001b]8;;${address}\u001b\\${text}\u001b]8;;\u001b\\`;
}
