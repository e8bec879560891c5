import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draws } from '../../../../test/property-draws.ts';
import type { Extraction } from '../../../contracts/extractor.ts';
import { createTextExtractor } from '../text.ts';
import { chatGptExport, claudeExport, slackDay, slackUsers, whatsAppChat } from './chats.fixture.ts';
import { jsonElements } from './json-elements.ts';
import { slackNames, slackNamesFile } from './slack.ts';

const text = createTextExtractor();
const json = 'application/json';

async function extracted(content: string, { uri = 'a.txt', mediaType = 'text/plain', beside = '' } = {}) {
  const bytes = new TextEncoder().encode(content);
  return text.extract({ uri, bytes, mediaType, ...(beside !== '' && { beside }) });
}

function found(extraction: Extraction) {
  if (extraction.kind === 'skip') throw new Error(extraction.rule);
  const { text: all, messages = [], places } = extraction;
  const marks = places?.kind === 'messages' ? places.marks : [];
  const said = marks.map(({ start }, index) =>
    all
      .slice(start, marks[index + 1]?.start)
      .replaceAll('\f', '')
      .trim(),
  );
  return {
    ...extraction,
    said,
    days: messages.map(({ writtenAt }) => new Date(writtenAt ?? 0).toISOString().slice(0, 16)),
  };
}

describe('WhatsApp', () => {
  test('takes linear time for dates, names and brackets without end', async () => {
    const line = '12/03/24, 18:02 - Ada: at the quay\n';
    for (const endless of ['[12.03.24', '12/03/24, 18:02 - a ', '12/03/24, ', ' - ', '<attached: '])
      expect(
        found(await extracted(`${line.repeat(5)}${line.slice(0, 18)}${endless.repeat(100_000)}`)).kind,
      ).toBe('text');
  });

  test('gives each message its author and time, joins lines that go on, and keeps sittings apart', async () => {
    const { said, days, type, text: all } = found(await extracted(whatsAppChat));
    expect(type).toBe('conversation');
    expect(days).toEqual([
      '2026-03-01T18:02',
      '2026-03-01T18:05',
      '2026-03-01T18:06',
      '2026-03-02T09:30',
      '2026-03-02T09:31',
    ]);
    expect(said[1]).toBe('18:05 Bo: Seven is fine.\nI bring:\n\n- bread\n- the blue lamp');
    expect(said[2]).toContain('(Ada added Cy)');
    expect(all.split('\f')).toHaveLength(2);
    expect(all).not.toContain('encrypted');
  });

  test.each([
    [
      'iPhone, German',
      '[01.03.26, 18:02:07] Ada: Hallo\n[13.03.26, 18:03:00] Bo: Hallo Ada',
      '2026-03-13T18:03',
    ],
    [
      'iPhone, US',
      '[3/1/26, 6:02:07\u202fPM] Ada: Hi\n[3/13/26, 6:03:00\u202fPM] Bo: Hi Ada',
      '2026-03-13T18:03',
    ],
    ['Android, US', '3/1/26, 6:02 PM - Ada: Hi\n3/13/26, 6:03 PM - Bo: Hi Ada', '2026-03-13T18:03'],
    ['Android, Portuguese', '01/03/2026 18:02 - Ada: Oi\n13/03/2026 18:03 - Bo: Oi Ada', '2026-03-13T18:03'],
    [
      'Android, French',
      '01/03/2026 à 18:02 - Ada : Salut\n13/03/2026 à 18:03 - Bo : Salut',
      '2026-03-13T18:03',
    ],
    ['Android, Swedish', '2026-03-01, 18:02 - Ada: Hej\n2026-03-13, 18:03 - Bo: Hej', '2026-03-13T18:03'],
    [
      'days below 13, by their order',
      '[2/11/26, 18:02:07] Ada: Hi\n[2/12/26, 18:03:00] Bo: x\n[3/1/26, 18:03:00] Bo: Hi Ada',
      '2026-03-01T18:03',
    ],
  ])('reads dates of %s', async (_, content, last) => {
    expect(found(await extracted(content)).days.at(-1)).toBe(last);
  });

  test('says where day and month are a guess', async () => {
    const { degraded } = found(await extracted('[1/2/26, 18:02:07] Ada: Hi\n[1/3/26, 18:03:00] Bo: Hi Ada'));
    expect(degraded).toBe('dates like 1/2/2026 are read as day/month');
  });

  test.each([
    ['a log', '[2026-03-01, 18:02:07] INFO: started\n[2026-03-01, 18:02:08] ERROR: stopped'],
    [
      'a log with a dash',
      '01/03/2026 18:02 - server: started\n01/03/2026 18:03 - worker-7: up\n01/03/2026 18:03 - db: up\n01/03/2026 18:04 - mail: up',
    ],
    [
      'a log of a program',
      '[2026-03-01 18:02:07] app.Http: started\n[2026-03-01 18:02:08] app.Http: up\n[2026-03-01 18:02:09] production.ERROR: no',
    ],
    [
      'a log to the second',
      '01/03/2026 18:02:07 - Ada: up\n01/03/2026 18:02:08 - Ada: down\n01/03/2026 18:02:09 - Bo: up',
    ],
    ['a diary', '01/03/2026, 18:02 - Rain again.\n02/03/2026, 18:02 - Sun.'],
    ['minutes', 'Minutes\n01/03/2026, 18:02 - Ada: opened\n01/03/2026, 18:03 - Bo: agreed'],
    ['dates that are none', '[41.13.26, 18:02:07] Ada: Hi\n[42.13.26, 18:03:00] Bo: Hi'],
    [
      'a chat within prose',
      `[01.03.26, 18:02:07] Ada: Hi\n${'Prose about it.\n'.repeat(30)}[01.03.26, 18:03:07] Bo: Hi`,
    ],
  ])('does not take %s for a chat', async (_, content) => {
    expect(found(await extracted(content)).type).toBeUndefined();
  });
});

describe('Slack', () => {
  const uri = 'export/general/2026-03-01.json';

  test('names people and channels, and puts answers below what they answer', async () => {
    const beside = slackNames(new TextEncoder().encode(JSON.stringify(slackUsers)));
    const {
      said,
      text: all,
      type,
    } = found(await extracted(JSON.stringify(slackDay), { uri, mediaType: json, beside }));
    expect(type).toBe('conversation');
    expect(all).toContain('#general, 2026-03-01, thread: Deploy is red');
    expect(said.map((each) => each.split('\n').at(-1))).toEqual([
      '10:00 Ada Lovelace: Deploy is red, see dashboard (https://ci.example/7) & call @Bo Berg',
      '12:00 Bo Berg: Fixed: the token of the mirror had run out.',
      '11:00 Ada Lovelace: Lunch?',
    ]);
    expect(all).not.toContain('has joined');
  });

  test('takes names from the messages themselves where there is no list of people', async () => {
    const { said } = found(await extracted(JSON.stringify(slackDay), { uri, mediaType: json }));
    expect(said[1]).toContain('Bo: Fixed');
    expect(slackNamesFile(uri)).toBe('export/users.json');
    expect(slackNamesFile('export/general/notes.json')).toBeUndefined();
  });

  test.each([
    ['other records', '[{"type":"event","ts":"1772359200.000100"}]'],
    ['one message among others', `[${JSON.stringify(slackDay[0])},{"id":7}]`],
    ['no array', JSON.stringify({ messages: slackDay })],
  ])('does not take %s for a channel', async (_, content) => {
    expect(found(await extracted(content, { uri, mediaType: json })).type).toBeUndefined();
  });

  test('says what is no message behind many that are, and where the file is torn', async () => {
    const many = [...Array.from({ length: 25 }, () => slackDay[2]), { id: 7 }];
    const content = JSON.stringify(many).slice(0, -1);
    const { degraded } = found(await extracted(content, { uri, mediaType: json }));
    expect(degraded).toBe('1 records are not messages; the file ends in the middle of a record');
  });
});

describe('exports of assistants', () => {
  const uri = 'conversations.json';
  const json = 'application/x-conversations+json';

  test('follow the branch of ChatGPT that was shown last, turn by turn', async () => {
    const { said, days, metadata, places } = found(
      await extracted(JSON.stringify(chatGptExport), { uri, mediaType: json }),
    );
    expect(metadata).toMatchObject({ assistant: 'ChatGPT', messages: 2 });
    expect(said[0]).toBe(
      'You, 2026-03-01: How long do I boil an egg?\n\nChatGPT: Seven minutes for a soft yolk.',
    );
    expect(said[1]).toContain('You, 2026-03-02: And a large one?');
    expect(said.join()).not.toMatch(/Eight hours|hidden instruction/);
    expect(days).toEqual(['2026-03-01T10:00', '2026-03-02T10:00']);
    expect(places?.marks[0]?.at).toMatchObject({ message: 1, subject: 'How long do I boil an egg?' });
  });

  test('show what a tool of ChatGPT was given and gave as that, and name a turn by its words, not its pictures', async () => {
    const node = (parent: string | null, child: string[], message: object) => ({
      parent,
      children: child,
      message: { create_time: 1_772_359_200, ...message },
    });
    const text = (...parts: unknown[]) => ({ content_type: 'multimodal_text', parts });
    const chat = {
      title: 'Dough',
      current_node: 'd',
      mapping: {
        a: node(null, ['b'], {
          author: { role: 'user' },
          content: text({ content_type: 'image_asset_pointer' }, 'How long does it rest?'),
        }),
        b: node('a', ['c'], {
          author: { role: 'assistant' },
          recipient: 'web.run',
          content: { content_type: 'code', text: 'search("dough")' },
        }),
        c: node('b', ['d'], {
          author: { role: 'tool', name: 'web.run' },
          content: text('three pages\nof bread'),
        }),
        d: node('c', [], { author: { role: 'assistant' }, recipient: 'all', content: text('Five hours.') }),
      },
    };
    const { said, places } = found(await extracted(JSON.stringify([chat]), { uri, mediaType: json }));
    expect(said[0]).toBe(
      'You, 2026-03-01: How long does it rest?\n[image]\n\n[web.run]\n> search("dough")\n\n[web.run]\n> three pages\n> of bread\n\nChatGPT: Five hours.',
    );
    expect(places?.marks[0]?.at).toMatchObject({ message: 1, subject: 'How long does it rest?' });
  });

  test('name the conversation of Claude with each of its turns, where there are several', async () => {
    const { said, metadata } = found(await extracted(JSON.stringify(claudeExport), { uri, mediaType: json }));
    expect(metadata).toMatchObject({ assistant: 'Claude', messages: 2 });
    expect(said).toEqual([
      'Roof\n\nYou, 2026-02-01: Which tiles?\n\n[file: offer.txt]\nTiles: 900',
      'Garden\n\nYou, 2026-03-01: When do I cut roses?\n\nClaude: In March, before they shoot.',
    ]);
  });

  test('leave any other file of that name as it is', async () => {
    const { type, text: all } = found(
      await extracted('[{"title":"x","mapping":{"a":1}}]', { uri, mediaType: json }),
    );
    expect([type, all]).toEqual([undefined, '[{"title":"x","mapping":{"a":1}}]']);
    const large = `[${'{"id":1},'.repeat(300_000)}{"id":1}]`;
    expect(await extracted(large, { uri, mediaType: json })).toMatchObject({
      kind: 'skip',
      reason: 'too-large',
    });
  });

  test('end where a chain of messages leads to itself', async () => {
    const node = {
      message: { author: { role: 'user' }, create_time: 1, content: { parts: ['Hi'] } },
      children: ['b'],
    };
    const mapping = { a: { ...node, parent: 'b' }, b: { ...node, parent: 'a' } };
    const { said } = found(
      await extracted(JSON.stringify([{ title: '', mapping, current_node: 'a' }]), { uri, mediaType: json }),
    );
    expect(said).toHaveLength(1);
  });
});

test('an array is taken apart into the elements that JSON sees, and any torn one into those before it', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { maxLength: 6 }), fc.nat(2), fc.nat(), (values, indent, cut) => {
      const whole = new TextEncoder().encode(JSON.stringify(values, null, indent));
      const parts = [...jsonElements(whole)].map((part) => JSON.parse(new TextDecoder().decode(part)));
      expect(parts).toEqual(JSON.parse(JSON.stringify(values)));
      const torn = [...jsonElements(whole.subarray(0, cut % whole.length))];
      expect(torn.length).toBeLessThanOrEqual(values.length);
    }),
    { numRuns: draws(200) },
  );
});

test('whatever the fields of a record hold, an export is read or skipped', async () => {
  const shapes = [slackDay[0], chatGptExport[0], claudeExport[0]];
  const field = fc.constantFrom(
    'user',
    'text',
    'files',
    'attachments',
    'ts',
    'thread_ts',
    'mapping',
    'current_node',
    'name',
    'chat_messages',
    'user_profile',
  );
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...shapes), field, fc.jsonValue(), async (shape, name, value) => {
      const content = JSON.stringify([shape, { ...shape, [name]: value }]);
      const result = await extracted(content, { uri: 'conversations.json', mediaType: json });
      expect(result.kind === 'text' || !result.rule.startsWith('broken')).toBe(true);
    }),
    { numRuns: draws(100) },
  );
});
