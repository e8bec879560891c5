import { expect, test } from 'vitest';
import type { ContextSource } from '../../core/context.ts';
import { checkAnswer } from './check-answer.ts';
import { extractQuotes } from './extract.ts';

function source(number: number, text: string, more: Partial<ContextSource> = {}): ContextSource {
  return {
    number,
    text,
    uri: `${number}.md`,
    title: '',
    type: 'doc',
    section: '',
    signatures: '',
    isCut: false,
    relevance: 0.8,
    ...more,
  };
}

/** A message of a thread, on a day of May. */
function message(number: number, day: number, text: string): ContextSource {
  const point = {
    message: 1,
    subject: number === 1 ? 'Dentist' : 'Re: Dentist',
    date: `2026-05-0${day}T08:00:00Z`,
  };
  return source(number, text, { type: 'email', place: { kind: 'messages', first: point, last: point } });
}

const textsFor = async (question: string, sources: readonly ContextSource[]) =>
  (await extractQuotes(question, sources)).map(({ text }) => text);

test('the newest of a thread comes first, and an older one that says otherwise is marked', async () => {
  const thread = [
    message(1, 4, 'The appointment at the dentist is on Tuesday, 12 May at 9:15.\n\nKind regards\nNora Berg'),
    message(
      2,
      6,
      'The appointment is moved to Thursday, 21 May at 14:00.\n\n> The appointment at the dentist is on Tuesday, 12 May at 9:15.',
    ),
  ];
  const quotes = await extractQuotes('When is the appointment at the dentist?', thread);
  expect(quotes).toMatchObject([
    { number: 2, text: 'The appointment is moved to Thursday, 21 May at 14:00.' },
    { number: 1, against: 'earlier' },
  ]);
  // In whichever order they were found.
  const turned = await extractQuotes('When is the appointment at the dentist?', thread.toReversed());
  expect(turned.map(({ number }) => number)).toEqual([2, 1]);
});

test('an older message that says "it" for what the thread is about is marked where it names another day', async () => {
  const thread = [
    message(1, 1, 'I propose to hold the regatta of the club on 14 November.'),
    message(2, 3, 'Let us postpone it to January, the ice will be better.'),
    message(3, 6, 'We agreed at the assembly: the regatta takes place on 5 December at ten.'),
  ];
  const alike = async (texts: readonly string[]) => texts.map(() => 0.5);
  const marked = async (question: string) =>
    (await extractQuotes(question, thread, alike)).map(({ number, against }) => [number, against]);
  expect(await marked('When is the regatta, and who may postpone it?')).toEqual([
    [3, undefined],
    [2, 'earlier'],
    [1, 'earlier'],
  ]);
});

test.each([
  ['It may rain at the stand.', 'The money for that stand is there.'],
  ['You may bring it to the market.', 'We decided that the marina has room.'],
  ['This is separate from the sunny side.', 'It is for the junior crew.'],
])('a word that begins like a month or a day names none: %s', async (older, newer) => {
  const alike = async (texts: readonly string[]) => texts.map(() => 0.5);
  const quotes = await extractQuotes('stand', [message(1, 1, older), message(2, 3, newer)], alike);
  expect(quotes.map(({ against }) => against)).toEqual([undefined, undefined]);
});

test.each([
  ['It takes place at the stand on 5 May.', 'We hold it in the middle of June.'],
  ['Keep that by may, please.', 'We hold it on a Friday.'],
])('"may" is a month beside a number or a word of time: %s', async (older, newer) => {
  const alike = async (texts: readonly string[]) => texts.map(() => 0.5);
  const quotes = await extractQuotes('stand', [message(1, 1, older), message(2, 3, newer)], alike);
  expect(quotes.map(({ number, against }) => [number, against])).toEqual([
    [2, undefined],
    [1, 'earlier'],
  ]);
});

test('two places that contradict each other are both said, the newer one first where its year is known', async () => {
  const old = source(1, 'The cold store is kept at 4 degrees.', { title: 'Rules (2021)' });
  const now = source(2, 'The cold store is kept at 2 degrees.', { title: 'Rules (2026)' });
  expect(await extractQuotes('How cold is the cold store kept?', [old, now])).toMatchObject([
    { number: 2 },
    { number: 1, against: 'earlier' },
  ]);
  const undated = [
    { ...old, title: '' },
    { ...now, title: '' },
  ];
  expect(
    (await extractQuotes('How cold is the cold store kept?', undated)).map(({ against }) => against),
  ).toEqual([undefined, 'elsewhere']);
  // The same said twice is said once.
  const twice = [now, { ...now, number: 3 }];
  expect(await textsFor('How cold is the cold store kept?', twice)).toHaveLength(1);
});

test('rows of a table do not contradict each other, and each is quoted by itself', async () => {
  const table = source(
    1,
    'year,variety,kilograms,field\n2025,Elstar,3650,South\n2026,Elstar,2870,South\n2026,Boskoop,4480,North',
    {
      type: 'data',
    },
  );
  const quotes = await extractQuotes('How many kilograms of Elstar in 2026?', [table]);
  expect(quotes[0]?.text).toBe('2026,Elstar,2870,South');
  expect(quotes.filter(({ against }) => against)).toEqual([]);
});

test('an entry of settings is found by its section, which is no answer itself', async () => {
  const settings = source(1, '[server]\nport = 8080\nhost = "db1"\n[mirror]\nport = 9090\nhost = "db2"', {
    type: 'state',
  });
  expect((await textsFor('Which port has the mirror?', [settings]))[0]).toBe('port = 9090');
});

test('an answer below the question that it answers is found by that, however short', async () => {
  const faq = source(
    1,
    '# Visitors\n\n### Do you take cards?\n\nNo, only cash.\n\n### Are dogs allowed?\n\nYes, on a lead.\n',
  );
  expect(await textsFor('Can I pay by card?', [faq])).toEqual(['No, only cash.']);
  const readme = source(1, '# Tide\n\nPrints the tides of a harbour.\n\n## Licence\n\nMIT.\n');
  expect((await textsFor('What is the licence?', [readme]))[0]).toBe('MIT.');
});

test('dates, times and names with a point are not cut', async () => {
  const said = [
    'Die Versammlung findet am 4. Juli 2026 um 18:30 Uhr in der Scheune statt.',
    'Das Treffen mit Dr. A. Weber und Prof. Lind ist ca. am 3. des Monats.',
    'The launch begins at 11 a.m. in the press house of J. Lind.',
  ];
  for (const text of said)
    expect(
      (
        await textsFor(text.split(' ').toReversed().join(' '), [
          source(1, `Zuerst dies hier sagen. ${text} Und Schluss mit allem.`),
        ])
      )[0],
    ).toBe(text);
  // A sentence that ends with a number ends there.
  const ended = 'We begin early in 2026. Then the boats return at once.';
  expect((await textsFor('when do we begin', [source(1, ended)]))[0]).toBe('We begin early in 2026.');
});

const asked = 'who has the key of the server room?';

test('a mail that only asks the question gives way to the one that replies', async () => {
  const thread = [
    message(1, 4, 'Hi all,\n\nWho has the key of the server room?\n\nRegards\nIda'),
    message(2, 5, 'It is in the drawer of Ms Okafor.\n\nBo'),
  ];
  expect(await extractQuotes(asked, thread)).toMatchObject([
    { number: 2, text: 'It is in the drawer of Ms Okafor.' },
  ]);
  expect(await extractQuotes(asked, thread.slice(0, 1))).toEqual([]);
});

test.each([
  'who has the key of the server room',
  'Does anyone know who has the key of the server room?',
  'Hi Bo, who has "the key" of the server room?',
  'The question: who has the key of the server room?',
])('what only repeats the question is no answer, what stands behind it is: %s', async (again) => {
  expect(await textsFor(asked, [source(1, again)])).toEqual([]);
  expect(
    await textsFor(asked, [source(1, `Who has the key of the server room? Bo has it.\n\n${again}`)]),
  ).toEqual(['Bo has it.']);
  const chat = source(
    1,
    `08:02 Mara: ${again.replace(/\??$/, '?')}\n\n08:05 Bo: I have it with me until Friday.`,
    {
      type: 'conversation',
    },
  );
  expect((await textsFor(asked, [chat]))[0]).toBe('08:05 Bo: I have it with me until Friday.');
});

test.each([
  'Is it not in the drawer of Ms Okafor?',
  'The key of the server room has been with Bo since May.',
])('what says more than the question is quoted: %s', async (said) => {
  expect(await textsFor(asked, [source(1, said)])).toEqual([said]);
});

test.each([
  ['# The key of the server room\n\n## Who has it', {}],
  ['The key of the server room\n==========================', {}],
  ['The key of the server room', { section: 'House > The key of the server room' }],
])('a heading without a text is no answer: %s', async (text, more) => {
  expect(await textsFor(asked, [source(1, text, more)])).toEqual([]);
});

test.each(['.', ':', ' ', 'a', '|a', '“', '[1', '*', 'A. ', '/** ', '\n|a'])(
  'a source of a quarter of a megabyte of %j is quoted from in time linear in its length',
  async (part) => {
    const text = `The heron waits in the reeds.\n\nThen ${part.repeat(250_000 / part.length)} the end.`;
    for (const type of ['doc', 'code'])
      expect(await textsFor('Where does the heron wait?', [source(1, text, { type })])).not.toEqual([]);
    const checker = checkAnswer([source(1, text)]);
    checker.push('The heron waits in the reeds [1].');
    checker.end();
    expect(checker.sentences).toMatchObject([{ verdict: 'supported' }]);
  },
  60_000,
);
