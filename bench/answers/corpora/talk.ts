import type { AskedCorpus } from './corpus.ts';

const slackTime = (moment: string): string => `${Date.parse(`${moment}Z`) / 1000}.000100`;
const said = (user: string, moment: string, text: string, thread?: string) => ({
  type: 'message',
  user: user.toUpperCase(),
  ts: slackTime(moment),
  ...(thread && { thread_ts: slackTime(thread) }),
  text,
  user_profile: { real_name: user },
});
const mail = (from: string, date: string, subject: string, body: string): string =>
  `From: ${from}\r\nTo: crew@ferry.example\r\nDate: ${date}\r\nSubject: ${subject}\r\n\r\n${body}\r\n\r\n-- \r\n${from.replace(/ <.*/, '')}, Ferry Line, Pier 3\r\n`;
const node = (parent: string | null, child: string | null, role: string, time: number, text: string) => ({
  parent,
  children: child ? [child] : [],
  message: { author: { role }, create_time: time, content: { content_type: 'text', parts: [text] } },
});

/** A ferry line: chats of three kinds between mail, notes, code, a table and a log. */
export const talk: AskedCorpus = {
  name: 'talk',
  files: {
    'slack/bridge/2026-09-14.json': JSON.stringify([
      said(
        'Mara Holt',
        '2026-09-14T08:02:00',
        'Morning. The bow ramp sticks again, about ten centimetres before it is closed.',
      ),
      said('Jonas Reed', '2026-09-14T08:20:00', 'Anyone for coffee?'),
      said(
        'Jonas Reed',
        '2026-09-14T09:41:00',
        'It was the limit switch on port side. I replaced it, the ramp closes fully now.',
        '2026-09-14T08:02:00',
      ),
      said(
        'Mara Holt',
        '2026-09-14T09:45:00',
        'Thanks! Please order two spare switches.',
        '2026-09-14T08:02:00',
      ),
    ]),
    'slack/bridge/2026-09-20.json': JSON.stringify([
      said(
        'Ines Vogt',
        '2026-09-20T17:00:00',
        'Captain Olsen is on leave from Monday, Mara has the bridge until 4 October.',
      ),
      said('Mara Holt', '2026-09-20T17:03:00', 'ok'),
    ]),
    'slack/office/2026-09-21.json': JSON.stringify([
      said(
        'Ines Vogt',
        '2026-09-21T10:00:00',
        'The ticket printer at Pier 3 needs firmware 4.2, older ones print the tax twice.',
      ),
      said('Paul Kerr', '2026-09-21T10:12:00', 'Where do I get it?', '2026-09-21T10:00:00'),
      said(
        'Ines Vogt',
        '2026-09-21T10:15:00',
        'From the share, folder printers, file fw42.bin. Hold the feed button while it starts.',
        '2026-09-21T10:00:00',
      ),
    ]),
    'chats/crew.txt': [
      '12/09/2026, 18:01 - Messages and calls are end-to-end encrypted.',
      '12/09/2026, 18:02 - Mara Holt: Summer party: who brings what?',
      '12/09/2026, 18:04 - Paul Kerr: I bring the grill and twenty sausages.',
      '12/09/2026, 18:07 - Ines Vogt: Potato salad from me.',
      'And the big tent, if my brother lets me have it.',
      '12/09/2026, 21:40 - Mara Holt: The party begins at half past five at the old lighthouse.',
      '15/09/2026, 07:30 - Mara Holt: Change of plan: because of the wind we meet in the boat shed, same time.',
      '16/09/2026, 12:00 - Jonas Reed: Somebody left a blue rucksack in the boat shed. It is in my locker, number 14.',
    ].join('\n'),
    'conversations.json': JSON.stringify([
      {
        title: 'Salt on windows',
        current_node: 'b',
        mapping: {
          a: node(null, 'b', 'user', 1_788_000_000, 'How do I get salt crusts off the bridge windows?'),
          b: node(
            'a',
            null,
            'assistant',
            1_788_000_010,
            'Rinse with warm fresh water first. Then wipe with one part white vinegar to four parts water, and never scrub dry: the crystals scratch the glass.',
          ),
        },
      },
      {
        title: 'Anchor chain length',
        current_node: 'd',
        mapping: {
          c: node(null, 'd', 'user', 1_788_100_000, 'How much chain do I let out in twelve metres of water?'),
          d: node(
            'c',
            null,
            'assistant',
            1_788_100_010,
            'Five times the depth in calm weather, so sixty metres; seven times in strong wind, which is eighty-four metres.',
          ),
        },
      },
    ]),
    'mail/winter-1.eml': mail(
      'Ines Vogt <ines@ferry.example>',
      'Mon, 05 Oct 2026 09:00:00 +0000',
      'Winter timetable',
      'Hello,\r\n\r\nfrom 1 November the last ferry leaves at 19:30.',
    ),
    'mail/winter-2.eml': mail(
      'Ines Vogt <ines@ferry.example>',
      'Thu, 08 Oct 2026 09:00:00 +0000',
      'Re: Winter timetable',
      'A correction: the school asked for a later boat. From 1 November the last ferry leaves at 20:10.\r\n\r\n> from 1 November the last ferry leaves at 19:30.',
    ),
    'mail/fuel.eml': mail(
      'Paul Kerr <paul@ferry.example>',
      'Fri, 09 Oct 2026 12:00:00 +0000',
      'Fuel contract',
      'The contract with Northern Fuels ends on 31 December. They ask for 1.42 a litre, Harbour Oil offers 1.37. I sign with Harbour Oil on Friday.',
    ),
    'notes/dry-dock.md':
      '# Dry dock 2027\n\nThe ship is in dock from 11 to 29 January at Kolding.\n\n## To do\n\n- new anodes: 24 pieces\n- paint of the hull: grey, two coats\n- the propeller shaft is measured by Lindner\n',
    'notes/safety.md':
      '# Safety drill\n\nA drill is held on the first Tuesday of each month. The person in charge is the first mate.\n\n## Life rafts\n\nEach raft carries 25 people. They are serviced every twelve months by Viking in Esbjerg.\n',
    'src/fares.py':
      '"""Fares of the ferry."""\n\nCHILD_AGE = 12\n\n\ndef fare(age: int, is_resident: bool) -> float:\n    """Children below twelve travel free; residents pay half."""\n    if age < CHILD_AGE:\n        return 0.0\n    return 4.5 if is_resident else 9.0\n',
    'data/crossings.csv':
      'date,departures,passengers,cancelled\n2026-09-12,14,1203,0\n2026-09-13,14,988,2\n2026-09-14,12,640,6\n',
    'logs/engine.log':
      '2026-09-13 06:00:01 INFO main engine started\n2026-09-13 11:12:40 WARN oil pressure low: 2.1 bar\n2026-09-13 11:14:02 ERROR main engine stopped: oil pump P2 failed\n2026-09-13 12:30:10 INFO pump P2 replaced, main engine started\n',
  },
  questions: [
    { ask: 'Why did the bow ramp stick?', expect: /limit switch/ },
    { ask: 'Who replaces the captain while he is on leave?', expect: /Mara has the bridge/ },
    { ask: 'Until when does Mara have the bridge?', expect: /4 October/ },
    { ask: 'Which firmware does the ticket printer need?', expect: /4\.2/ },
    { ask: 'Where is the firmware of the printer?', expect: /fw42\.bin/ },
    { ask: 'Where is the summer party?', expect: /boat shed/, first: /boat shed/ },
    { ask: 'What time does the party begin?', expect: /half past five/ },
    { ask: 'Who brings the grill?', expect: /Paul Kerr[^\n]*grill/ },
    { ask: 'Who brings the tent?', expect: /tent/ },
    { ask: 'Where is the blue rucksack now?', expect: /locker, number 14/ },
    { ask: 'How do I clean salt off the windows?', expect: /vinegar|fresh water/ },
    { ask: 'How much anchor chain in strong wind?', expect: /eighty-four/ },
    { ask: 'When does the last ferry leave in winter?', expect: /20:10/, first: /20:10/ },
    { ask: 'Which fuel company do we sign with?', expect: /Harbour Oil/ },
    { ask: 'When is the ship in dry dock?', expect: /11 to 29 January/ },
    { ask: 'How many people does a life raft carry?', expect: /25 people/ },
    { ask: 'What do residents pay?', expect: /half|4\.5/ },
    { ask: 'How many passengers were there on 13 September?', expect: /988/ },
    { ask: 'Why did the main engine stop?', expect: /oil pump P2 failed/ },
    { ask: 'How many new anodes are needed?', expect: /24/ },
  ],
};
