import type { Chance } from './chance.ts';

/** Someone whom the studio deals with. */
export interface Person {
  readonly name: string;
  readonly address: string;
  readonly role: string;
}

const person = (name: string, at: string, role: string): Person => ({
  name,
  address: `${name.split(' ')[0]?.toLowerCase()}@${at}.example`,
  role,
});

export const ines = person('Ines Calder', 'alderfinch', 'owner of the studio; design, type, money');
export const rowan = person('Rowan Finch', 'alderfinch', 'partner; presses, websites, servers');
export const wren = person('Wren', 'alderfinch', 'assistant');

export const people: readonly Person[] = [
  person('Marguerite Okafor', 'clevedonpaper', 'neighbour with the keys; papermaker'),
  person('Hollis Tan', 'hollistan', 'compositor who teaches our courses when we cannot'),
  person('Aoife Brennan', 'thistlemill', 'sales at the paper mill'),
  person('Petroc Nance', 'falmouthnet', 'friend who houses the backup machine'),
  person('Sandhu Gill', 'gillheating', 'boiler engineer'),
  person('Beatriz Salgado', 'livraria-norte', 'bookshop client in Lisbon'),
  person('Malcolm Reyes', 'northlight', 'gallery client in Toronto'),
  person('Ottilie Brandt', 'stadtchor', 'choir client; posters and a site'),
  person('Dafydd Pryce', 'prycebakery', 'bakery client; bags, labels and an order page'),
  person('Yusuf Demir', 'saltaireplates', 'plate maker'),
  person('Celia Fairweather', 'fairweather-tax', 'accountant'),
  person('Tobias Lunt', 'luntproperty', 'landlord'),
  person('Noor Haddad', 'noorhaddad', 'illustrator, freelance'),
  person('Greta Lindqvist', 'guildofprinters', 'secretary of the guild'),
  person('Imogen Vale', 'valeweddings', 'wedding planner who sends us couples'),
];

const manners = {
  channel: [
    'mail in the morning',
    'a short call before ten',
    'text messages, never calls',
    'letters, honestly',
    'the shared folder with a comment',
  ],
  pace: [
    'answers within the hour',
    'answers on Sundays',
    'needs two reminders and is grateful for them',
    'decides slowly and never changes it afterwards',
    'decides fast and changes it once',
  ],
  dislike: [
    'being copied on internal details',
    'attachments without a name',
    'questions with more than one question mark',
    'meetings without an end',
    'prices without tax',
  ],
  delight: [
    'a photograph of the work in progress',
    'proofs on real paper',
    'a plan with three dates',
    'being asked about the dog',
    'samples of offcuts',
  ],
  payment: [
    'pays on the day',
    'pays at the end of the month',
    'pays in two parts',
    'pays after the second reminder',
    'pays by cheque, in an envelope with a stamp we keep',
  ],
} as const;

/** What is known of a person, drawn once per tree. */
export interface Profile {
  readonly person: Person;
  readonly channel: string;
  readonly pace: string;
  readonly dislike: string;
  readonly delight: string;
  readonly payment: string;
}

export function profiles(chance: Chance): Profile[] {
  return [ines, rowan, ...people].map((one) => ({
    person: one,
    channel: chance.pick(manners.channel),
    pace: chance.pick(manners.pace),
    dislike: chance.pick(manners.dislike),
    delight: chance.pick(manners.delight),
    payment: chance.pick(manners.payment),
  }));
}
