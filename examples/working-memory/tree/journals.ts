import { daysBefore, plainDay } from './calendar.ts';
import type { Chance } from './chance.ts';
import { explorations } from './explorations.ts';
import { people } from './people.ts';
import { services } from './services.ts';
import type { TreeFile } from './tree-file.ts';

/** How many sessions the log remembers. */
const sessions = 40;

/** Logs by session and by hobby, and the state file: what changes every day. */
export function journals(chance: Chance, today: number): TreeFile[] {
  return [sessionLog(chance, today), ...hobbyLogs(chance, today), stateFile(chance, today)];
}

const deeds = [
  'Sorted the price list by weight, because Ines looks it up that way.',
  'Wrote two reminders and withdrew one: the money had come overnight.',
  'Found the missing receipt of the Ghent dealer in the wrong year.',
  'Moved three appointments off a press day before anyone noticed.',
  'Counted bodkins after the course; one was in an apron pocket.',
  'Proofread the programme twice and found the choir master misspelt.',
  'Asked the registrar in Oslo about the second account; no answer yet.',
  'Compared two estimates; the difference was spoilage for two colours.',
  'Answered a schoolchild who wanted to know why letters are called upper case.',
  'Archived nineteen messages and made one note of them.',
  'Rewrote the waiting letter so that the bad news comes first.',
  'Tidied the flat file index; drawer nine had two numbers.',
];

const surprises = [
  'Rowan laughed at a sentence of mine and put it on the blackboard.',
  'The outbox held a letter from March that nobody had sent.',
  'A client thanked us for saying no.',
  'I had planned Wednesday afternoon for Rowan and took it back in time.',
  'The same question came from three people; it is a note now.',
  'The restore drill found a password that lives only in a head.',
];

function sessionLog(chance: Chance, today: number): TreeFile {
  const names = chance.shuffled(services).map(({ name }) => name);
  const entries = Array.from({ length: sessions }, (_, place) => {
    const days = sessions - place;
    const date = plainDay(daysBefore(today, days));
    const service = names[place % names.length] ?? '';
    const who = people[place % people.length]?.name ?? '';
    return [
      `## ${date} Session ${200 + place}`,
      '',
      `${deeds[place % deeds.length]} Wrote to ${who}.`,
      place % 3 === 0
        ? `${service} answered slowly for ${chance.number(3, 50)} minutes; watched it, did nothing, it passed.`
        : `All services quiet, ${chance.number(4, 31)} messages, ${chance.number(0, 6)} tasks closed.`,
      ...(place % 4 === 1 ? [surprises[(place >> 2) % surprises.length] ?? ''] : []),
      '',
    ].join('\n');
  });
  return {
    path: 'logs/session_log.md',
    text: `# Session log\n\n${entries.join('\n')}`,
    modifiedAt: daysBefore(today, 1, 20),
  };
}

const hobbies = {
  typography: [
    'Traced the ear of the g in four faces; only one is a teardrop.',
    'Learned to tell Caslon cuttings apart by the lower-case w.',
    'Measured counters in the wood type; the R was made by another hand.',
  ],
  birds: [
    'First swift over the yard, eleven minutes earlier in the season than last year.',
    'A wren nests in the old exhaust pipe; the compressor stays off until noon.',
    'Counted nineteen jackdaws on the church, all facing the wind.',
  ],
  bells: [
    'Listened to a quarter peal and lost count at the third course.',
    'Wrote the rows of Plain Bob for six bells and found my own mistake by ear.',
    'The tenor has a hum note a third too low; they call it character.',
  ],
  bread: [
    'The starter doubles in five hours on the boiler shelf.',
    'Rye at a fifth keeps the loaf moist for four days.',
    'Forgot the salt. Nobody who ate it will forget.',
  ],
  maps: [
    'Compared two charts of the same shoal; it has moved a mile in a century.',
    'Drew the studio and its yard at one to fifty, from pacing.',
    'Found the semaphore hill on a map of 1801 under another name.',
  ],
} as const;

function hobbyLogs(chance: Chance, today: number): TreeFile[] {
  return Object.entries(hobbies).map(([hobby, entries]) => {
    const dated = entries.map((entry, place) => {
      const date = plainDay(daysBefore(today, 30 - place * chance.number(6, 10)));
      return `## ${date}\n\n${entry}\n`;
    });
    return {
      path: `logs/hobby_${hobby}.md`,
      text: `# Hobby: ${hobby}\n\n${dated.join('\n')}`,
      modifiedAt: daysBefore(today, 4),
    };
  });
}

function stateFile(chance: Chance, today: number): TreeFile {
  const open = chance.shuffled(explorations).slice(0, 4);
  const state = {
    hobbies: Object.keys(hobbies).map((name) => ({ name, hours_this_month: chance.number(1, 9) })),
    tasks: [
      {
        what: 'Ask the insurer whether binders in the stone room are covered',
        owner: 'Ines',
        next_step: 'draft is in the outbox',
        look_again: plainDay(daysBefore(today, -4)),
      },
      {
        what: 'Order swift boxes before April',
        owner: 'Rowan',
        next_step: 'measure the eaves',
        look_again: plainDay(daysBefore(today, -9)),
      },
      {
        what: 'Merge the doubled invoice numbers 214 to 219',
        owner: 'Wren',
        next_step: 'wait for the accountant',
        look_again: plainDay(daysBefore(today, -2)),
      },
    ],
    personality: {
      humour: 'dry',
      patience: 'long with people, short with portals',
      favourite_letter: 'lower-case g',
      currently_unsure_about: 'whether a fox counts as a visitor',
    },
    recent_context: {
      mood_of_the_house: 'busy before the exhibition',
      last_question_of_ines: 'what the frames cost per metre',
      open_explorations: open.map(([stem]) => stem),
      waiting_for: ['bearing for the cylinder press', 'answer from the registrar'],
    },
  };
  return {
    path: 'state.json',
    text: `${JSON.stringify(state, undefined, 2)}\n`,
    modifiedAt: daysBefore(today, 0, 6),
  };
}
