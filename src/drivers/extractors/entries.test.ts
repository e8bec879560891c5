import { describe, expect, test } from 'vitest';
import { defaultBounds } from './bounds.ts';
import { createIcsExtractor } from './ics.ts';
import { sampleCalendar, sampleContacts } from './office/office-files.fixture.ts';
import { extractFrom, textOf } from './samples.fixture.ts';
import { createVcfExtractor } from './vcf.ts';

describe('a calendar', () => {
  const ics = createIcsExtractor();

  test('gives each event and task with its time, place and people', async () => {
    expect(await extractFrom(ics, sampleCalendar)).toMatchObject({
      text: [
        'Review, with cake',
        'When: 2026-03-01 10:00 (Europe/Berlin) – 2026-03-01 11:30 (Europe/Berlin)',
        'Where: Room 4',
        'Organizer: Ada, chair <ada@example.org>',
        'Attendees: Bo <bo@example.org> (declined), cy@example.org',
        'Repeats: FREQ=WEEKLY;BYDAY=MO',
        '\nFirst line.\nSecond; line.',
        '\f\nلنشرب الشاي',
        'Due: 2026-04-01',
      ].join('\n'),
      title: 'Team',
      type: 'event',
      chunker: 'entries',
      places: {
        kind: 'entries',
        marks: [
          { start: 0, at: { entry: 1, name: 'Review, with cake', date: '2026-03-01' } },
          { at: { entry: 2, name: 'لنشرب الشاي', date: '2026-04-01' } },
        ],
      },
    });
  });

  test('is read in other encodings, and text that is no calendar as text', async () => {
    expect(textOf(await extractFrom(ics, Buffer.from(`\ufeff${sampleCalendar}`, 'utf16le')))).toContain(
      'لنشرب',
    );
    expect(textOf(await extractFrom(ics, 'just text'))).toBe('just text');
    expect(textOf(await extractFrom(ics, 'BEGIN:VCALENDAR\nEND:VCALENDAR'))).toBe(
      'empty: a calendar without events',
    );
  });

  test('without end is read from its beginning, and says so', async () => {
    const event = 'BEGIN:VEVENT\nSUMMARY:again\nDESCRIPTION:and again\nEND:VEVENT\n';
    const bounded = createIcsExtractor({ ...defaultBounds, outputCharacters: 1000 });
    expect(await extractFrom(bounded, `BEGIN:VCALENDAR\n${event.repeat(1000)}`)).toMatchObject({
      degraded: expect.stringMatching(/only the first \d\d entries are read/),
    });
    const nested = `BEGIN:VCALENDAR\n${'BEGIN:VEVENT\n'.repeat(100_000)}SUMMARY:deep\nEND:VEVENT`;
    expect(textOf(await extractFrom(ics, nested))).toBe('deep');
  });
});

describe('an address book', () => {
  const vcf = createVcfExtractor();

  test('gives each contact with addresses and numbers, without pictures, of any version', async () => {
    expect(await extractFrom(vcf, sampleContacts)).toMatchObject({
      text: [
        'Ada Lovelace',
        'Organization: Engines; Ltd, Research',
        'E-mail: ada@example.org (work)',
        'Phone: +44-20-1 (cell)',
        'Address: Hafenweg 3, Kiel, 24103, Germany (home)',
        'Note: Likes',
        'numbers',
        '\f',
        'Jörg Müller',
        'Phone: 030 1 (home)',
        'Note: one two',
        'three',
      ].join('\n'),
      type: 'contact',
      places: {
        marks: [{ at: { entry: 1, name: 'Ada Lovelace' } }, { at: { entry: 2, name: 'Jörg Müller' } }],
      },
    });
  });

  test('leaves variants of genes, which have the same extension, to be read as text', async () => {
    const variants = '##fileformat=VCFv4.2\n#CHROM\tPOS\n20\t14370\n';
    expect(textOf(await extractFrom(vcf, variants))).toBe(variants);
  });

  test('without a whole contact is left out with a reason', async () => {
    expect(textOf(await extractFrom(vcf, 'BEGIN:VCARD\nFN:Ada'))).toBe(
      'unsupported: broken vCard: no contact in it',
    );
  });
});
