/** Settings that are named; others are counted. */
const named = 5;

/** What does not count of the settings that came with a folder, for a person, and what can be done about it. */
export function untrustedWords(settings: readonly string[]): { message: string; remedy: string } {
  const list = settings.slice(0, named).join(', ');
  const rest = settings.length > named ? ` and ${settings.length - named} more` : '';
  return {
    message: `quarry.toml has ${list}${rest}, which lowers your protection and does not count.`,
    remedy: 'Remove it, or agree to it: quarry trust',
  };
}
