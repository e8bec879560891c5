const lock = 'Messages and calls are end-to-end encrypted. No one outside of this chat can read them.';

/** A group of Android in British English: a notice of the program, a message of several lines, somebody who is added. */
export const whatsAppChat = [
  `01/03/2026, 18:01 - ${lock}`,
  '01/03/2026, 18:02 - Ada Lovelace: Dinner at seven?',
  '01/03/2026, 18:05 - Bo: Seven is fine.',
  'I bring:',
  '',
  '- bread',
  '- the blue lamp',
  '01/03/2026, 18:06 - Ada added Cy',
  '02/03/2026, 09:30 - Cy: The key to the hut hangs behind the clock.',
  '02/03/2026, 09:31 - Bo: <Media omitted>',
].join('\r\n');

const ts = (time: string, more = '000100') => `${Date.parse(`2026-03-01T${time}Z`) / 1000}.${more}`;

/** A day of a channel: a question with an answer two hours later, and another message between them. */
export const slackDay = [
  {
    type: 'message',
    subtype: 'channel_join',
    ts: ts('09:00'),
    user: 'U1AAA',
    text: '<@U1AAA> has joined the channel',
  },
  {
    type: 'message',
    ts: ts('10:00'),
    thread_ts: ts('10:00'),
    user: 'U1AAA',
    text: 'Deploy is red, see <https://ci.example/7|dashboard> &amp; call <@U2BBB>',
  },
  { type: 'message', ts: ts('11:00'), user: 'U1AAA', text: 'Lunch?' },
  {
    type: 'message',
    ts: ts('12:00'),
    thread_ts: ts('10:00'),
    user: 'U2BBB',
    user_profile: { real_name: 'Bo', display_name: 'bo' },
    text: 'Fixed: the token of the mirror had run out.',
  },
];

/** The people of the export. */
export const slackUsers = [
  { id: 'U1AAA', name: 'ada', profile: { real_name: 'Ada Lovelace' } },
  { id: 'U2BBB', name: 'bo', real_name: 'Bo Berg', profile: {} },
  { id: '../x', name: 'nobody' },
];

const node = (
  parent: string | null,
  children: string[],
  role: string,
  day: string,
  part: string,
  more = {},
) => ({
  parent,
  children,
  message: {
    author: { role },
    create_time: Date.parse(`${day}T10:00:00Z`) / 1000,
    content: { content_type: 'text', parts: [part] },
    ...more,
  },
});

/** A conversation in which an answer was asked for again. */
export const chatGptExport = [
  {
    title: 'Eggs',
    create_time: 1,
    current_node: 'e',
    mapping: {
      root: { parent: null, children: ['s'], message: null },
      s: node('root', ['a'], 'system', '2026-03-01', 'a hidden instruction'),
      a: node('s', ['b', 'c'], 'user', '2026-03-01', 'How long do I boil an egg?'),
      b: node('a', [], 'assistant', '2026-03-01', 'Eight hours.'),
      c: node('a', ['d'], 'assistant', '2026-03-01', 'Seven minutes for a soft yolk.'),
      d: node('c', ['e'], 'user', '2026-03-02', 'And a large one?'),
      e: node('d', [], 'assistant', '2026-03-02', 'Eight minutes.'),
    },
  },
];

/** Two conversations, the newer one first. */
export const claudeExport = [
  {
    uuid: 'c2',
    name: 'Garden',
    chat_messages: [
      {
        sender: 'human',
        created_at: '2026-03-01T10:00:00Z',
        text: '',
        content: [{ type: 'text', text: 'When do I cut roses?' }],
      },
      {
        sender: 'assistant',
        created_at: '2026-03-01T10:00:05Z',
        content: [
          { type: 'thinking', thinking: 'They ask about roses.' },
          { type: 'text', text: 'In March, before they shoot.' },
        ],
      },
    ],
  },
  {
    uuid: 'c1',
    name: 'Roof',
    chat_messages: [
      {
        sender: 'human',
        created_at: '2026-02-01T10:00:00Z',
        text: 'Which tiles?',
        attachments: [{ file_name: 'offer.txt', extracted_content: 'Tiles: 900' }],
      },
    ],
  },
];
