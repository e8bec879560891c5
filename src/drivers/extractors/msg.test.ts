import { describe, expect, test } from 'vitest';
import { defaultBounds } from './bounds.ts';
import { compoundFileOf, msgOf, propertyTable } from './msg/compound-file.fixture.ts';
import { createMsgExtractor } from './msg.ts';
import { extractFrom, textOf } from './samples.fixture.ts';

const msg = createMsgExtractor();
const wide = (text: string) => Buffer.from(text, 'utf16le');

test('gives headers, people, body and the names of attachments, as an e-mail has them', async () => {
  expect(await extractFrom(msg, msgOf())).toMatchObject({
    text: [
      'From: Renée <renee@example.org>',
      'To: Bo <bo@example.org>',
      'Cc: Анна',
      'Date: 2026-03-03T09:00:00.000Z',
      'Subject: Harvest שלום',
      'Message-ID: <one@example.org>',
      '\nTea at noon.\n\nBring a cup.\n\nAttachments: plan.pdf',
    ].join('\n'),
    type: 'email',
    chunker: 'email',
    title: 'Harvest שלום',
    metadata: { from: 'Renée <renee@example.org>', attachments: ['plan.pdf'] },
    messages: [{ start: 0, writtenAt: Date.UTC(2026, 2, 3, 9) }],
    places: {
      kind: 'messages',
      marks: [{ at: { message: 1, subject: 'Harvest שלום', date: '2026-03-03T09:00:00.000Z' } }],
    },
  });
});

describe('a body', () => {
  const bodyOf = async (streams: Record<string, Uint8Array>) => {
    const empty = { '__substg1.0_1000001F': Buffer.alloc(0) };
    const text = textOf(await extractFrom(msg, msgOf({ ...empty, ...streams })));
    return text.slice(text.indexOf('\n\n') + 2, text.indexOf('\n\nAttachments'));
  };

  test('is read from a page in the encoding of the message', async () => {
    const page = Buffer.from(
      '<html><body><h1>\xd7\xe0\xe9</h1><p>\xe2 \xef\xee\xeb\xe4\xe5\xed\xfc</p></body></html>',
      'latin1',
    );
    expect(await bodyOf({ '__substg1.0_10130102': page })).toBe('# Чай\n\nв полдень');
  });

  test('is read from packed RTF, whose page is distinguished from what is only for old programs', async () => {
    const rtf =
      '{\\rtf1\\ansi\\fromhtml1 {\\*\\htmltag64 <p>}\\htmlrtf {\\htmlrtf0 Tea at noon{\\*\\htmltag72 </p>}\\htmlrtf\\par}\\htmlrtf0}';
    // The first eleven bytes stand in the window already; the others as they are.
    const rest = Buffer.from(rtf.slice(11), 'latin1');
    const pieces: Buffer[] = [Buffer.from([1, 0, 9]), rest.subarray(0, 7)];
    for (let at = 7; at < rest.length; at += 8) pieces.push(Buffer.from([0]), rest.subarray(at, at + 8));
    const head = Buffer.alloc(16);
    head.writeUInt32LE(rtf.length, 4);
    head.writeUInt32LE(0x75465a4c, 8);
    expect(await bodyOf({ '__substg1.0_10090102': Buffer.concat([head, ...pieces]) })).toBe('Tea at noon');
  });

  test('that unpacks without end stops at the bound', async () => {
    const head = Buffer.alloc(16);
    head.writeUInt32LE(0xffffffff, 4);
    head.writeUInt32LE(0x75465a4c, 8);
    const bounded = createMsgExtractor({ ...defaultBounds, outputCharacters: 10_000 });
    const packed = Buffer.concat([head, Buffer.alloc(100_000, 0xff)]);
    const streams = { '__substg1.0_1000001F': Buffer.alloc(0), '__substg1.0_10090102': packed };
    const extraction = await extractFrom(bounded, msgOf(streams));
    expect(textOf(extraction).length).toBeLessThanOrEqual(10_000);
  });
});

describe('a hostile compound file', () => {
  test('whose chain of sectors goes in a circle is left out with a reason', async () => {
    const file = msgOf();
    const table = (file.readUInt32LE(76) + 1) * 512;
    const directory = file.readUInt32LE(48);
    file.writeUInt32LE(directory, table + directory * 4);
    expect(textOf(await extractFrom(msg, file))).toBe(
      'unsupported: broken Outlook message: a chain of sectors without end',
    );
  });

  test('whose entries refer to each other in a circle is read once', async () => {
    const file = msgOf();
    const directory = (file.readUInt32LE(48) + 1) * 512;
    for (let entry = directory + 128; entry < directory + 512; entry += 128)
      file.writeUInt32LE(1, entry + 68);
    expect(textOf(await extractFrom(msg, file))).toContain('Subject: Harvest');
  });

  test('whose streams claim more than there is are left out with a reason', async () => {
    const bounded = createMsgExtractor({ ...defaultBounds, unpackedBytes: 100 });
    expect(textOf(await extractFrom(bounded, msgOf()))).toBe(
      'unsupported: broken Outlook message: unpacks to more than the bound',
    );
    expect(textOf(await extractFrom(msg, msgOf().subarray(0, 3000)))).toMatch(
      /^unsupported: broken Outlook message: /,
    );
  });
});

test('of another program, and text of the same extension, are told apart', async () => {
  expect(textOf(await extractFrom(msg, compoundFileOf({ WordDocument: Buffer.alloc(10) })))).toBe(
    'unsupported: a compound file that is not a message of Outlook',
  );
  expect(await extractFrom(msg, 'float64 x\nfloat64 y\n')).toMatchObject({
    text: 'float64 x\nfloat64 y\n',
    chunker: 'lines',
  });
  const bare = {
    '__properties_version1.0': propertyTable(32, {}),
    '__substg1.0_1000001F': wide('only words'),
  };
  expect(textOf(await extractFrom(msg, compoundFileOf(bare)))).toBe('only words');
});
