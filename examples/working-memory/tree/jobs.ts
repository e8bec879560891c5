import { daysBefore, plainDay, spokenDay } from './calendar.ts';
import type { Chance } from './chance.ts';
import { people } from './people.ts';
import type { TreeFile } from './tree-file.ts';

const pieces = [
  'Lighthouse broadside',
  'Choir season poster',
  'Bakery bag stamp',
  'Gallery folder',
  'Book of three letters',
  'Wedding suite Hartley',
  'Guild membership card',
  'Lisbon bookmark set',
  'Exhibition captions',
  'Map of the harbour',
];
const stocks = ['cotton 300 gsm', 'mould-made 250 gsm', 'ivory laid 160 gsm', 'recycled kraft 120 gsm'];
const inks = [
  'rubber black',
  'wedding blue (recipe 14)',
  'madder red',
  'warm grey, two to one',
  'bronze green',
];
const lessons = [
  'The grain ran the wrong way on the first fifty; they became notepads.',
  'Dry spray was not needed after all, a night on the racks did it.',
  'The plate was a hair too thin and wanted two sheets of tissue behind it.',
  'Set the numbers last next time: three changed after approval.',
  'Trimming before the second colour would have saved an hour.',
  'The client came to watch and stayed for soup.',
];

/** Job cards: what was printed on what, and what it taught. */
export function jobCards(chance: Chance, today: number): TreeFile[] {
  return pieces.map((piece, place) => {
    const finished = daysBefore(today, chance.number(5, 200));
    const passes = chance.number(1, 3);
    const hours = passes * chance.number(3, 6);
    const client = people[(place * 4 + 5) % people.length]?.name ?? '';
    const text = [
      `# Job card: ${piece}`,
      '',
      `For ${client}. Printed in ${passes === 1 ? 'one pass' : `${passes} passes`} on the ${chance.pick(['cylinder press', 'platen'])}, finished on ${spokenDay(finished)}.`,
      '',
      '## Material',
      '',
      `${chance.number(12, 60) * 10} sheets of ${chance.pick(stocks)}; ink: ${chance.pick(inks)}. ${hours} hours of press time.`,
      '',
      '## What we learned',
      '',
      `${lessons[place % lessons.length]}`,
      '',
    ].join('\n');
    const stem = `${plainDay(finished).slice(0, 7)}-${piece.toLowerCase().replace(/\W+/g, '-')}`;
    return { path: `docs/jobs/${stem}.md`, text, modifiedAt: finished };
  });
}
