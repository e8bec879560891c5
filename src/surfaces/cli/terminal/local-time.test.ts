import { expect, test } from 'vitest';
import { localTime } from './local-time.ts';

test('a moment is shown by the clock of this machine, and can be read back', () => {
  for (const moment of ['2026-01-31T23:59:00.000Z', '2026-07-01T00:00:00.000Z']) {
    const shown = localTime(moment);
    expect(shown).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d [+-]\d\d:\d\d$/);
    expect(new Date(shown.replace(' ', 'T').replace(' ', '')).toISOString()).toBe(moment);
    expect(shown).toContain(`${String(new Date(moment).getHours()).padStart(2, '0')}:`);
  }
});
