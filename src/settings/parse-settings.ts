import { parse, TomlError } from 'smol-toml';
import { messageOf, QuarryError } from '../core/errors.ts';
import { configFileName } from './config-file-name.ts';

/** What a settings file says, as tables; one that is no TOML is an error that names the line. */
export function parseSettings(text: string, shownAs = configFileName): Record<string, unknown> {
  try {
    return parse(text);
  } catch (cause) {
    const [firstLine] = messageOf(cause).split('\n');
    const where = cause instanceof TomlError ? ` in line ${cause.line}` : '';
    throw new QuarryError(
      'config-invalid',
      `${shownAs} is not valid TOML${where}: ${firstLine}`,
      'Correct the line it names.',
      { cause },
    );
  }
}
