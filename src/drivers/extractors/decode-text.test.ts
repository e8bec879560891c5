import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText, guessedEncoding } from './decode-text.ts';

const utf16 = (text: string, bigEndian = false): Uint8Array => {
  const bytes = Buffer.from(text, 'utf16le');
  return bigEndian ? bytes.swap16() : bytes;
};

test('reads UTF-8 with and without a mark, and leaves the mark out', async () => {
  expect(await decodeText(Buffer.from('\ufeffgrüße'))).toEqual({
    text: 'grüße',
    encoding: 'utf-8',
    guessed: false,
  });
  expect((await decodeText(Buffer.from('日本語')))?.text).toBe('日本語');
});

test.each([false, true])('reads UTF-16 with and without a mark, big-endian %s', async (bigEndian) => {
  const text = 'Grüße aus Zürich,\nund 日本 ist schön.';
  for (const mark of ['\ufeff', '']) {
    const decoded = await decodeText(utf16(mark + text, bigEndian));
    expect(decoded).toEqual({ text, encoding: bigEndian ? 'utf-16be' : 'utf-16le', guessed: false });
  }
});

test('reads Western text that is not UTF-8 as Windows-1252 and says so', async () => {
  const bytes = Buffer.from(
    'Le café était fermé à Zürich, déjà. L’été s’achève.'.replaceAll('’', '\x92'),
    'latin1',
  );
  const decoded = await decodeText(bytes);
  expect(decoded?.text).toBe('Le café était fermé à Zürich, déjà. L’été s’achève.');
  expect(decoded && guessedEncoding(decoded)).toBe('not valid UTF-8: read as windows-1252');
});

const legacy = [
  [
    'shift_jis',
    '93fa967b8cea82cc95b68fcd82c582b781428abf8e9a82c689bc96bc82aa82a082e882dc82b78142',
    '日本語の文章です。漢字と仮名があります。',
  ],
  [
    'euc-kr',
    'c7d1b1b9beee20b9aec0e5c0d4b4cfb4d92e20bbf520c6c7c0bb20b3bbb1e220c0fcbfa120b8f0b5e720bdc3c7e8c0bb20b4d9bdc320b5b9b7c120c1d6bcbcbfe42e',
    '한국어 문장입니다. 새 판을 내기 전에 모든 시험을 다시 돌려 주세요.',
  ],
  [
    'gb18030',
    'd5e2cac7d2bbb8f6d6d0cec4bee4d7d3a1a3b7a2b2bcd0c2b0e6b1bed6aec7b0a3acc7ebd4d9b4ced4cbd0d0cbf9d3d0b5c4b2e2cad4a3acb2a2bcecb2e9bde1b9fba1a3',
    '这是一个中文句子。发布新版本之前，请再次运行所有的测试，并检查结果。',
  ],
  [
    'big5',
    'b36fac4fa440add3a4a4a4e5a579a46ca143b56fa5acb773aaa9a5bba4a7ab65a141bdd0a641a6b8b0f5a6e6a9d2a6b3aabab4fab8d5a141a8c3a542c0cbac64b5b2aa47a143',
    '這是一個中文句子。發布新版本之前，請再次執行所有的測試，並且檢查結果。',
  ],
  [
    'windows-1251',
    'cfeef1f2e0e2fcf2e520edeee2f3fe20e2e5f0f1e8fe20efeef1ebe520eff0eee2e5f0eae820e220eff0eee3f0e0ecece5',
    'Поставьте новую версию после проверки в программе',
  ],
] as const;

test.each(legacy)('recognises %s', async (encoding, hex, text) => {
  expect(await decodeText(Buffer.from(hex, 'hex'))).toEqual({ text, encoding, guessed: true });
});

test('believes what a file says of its own encoding where the bytes agree', async () => {
  const bytes = Buffer.from(legacy[4][1], 'hex');
  expect((await decodeText(bytes, 'Windows-1251'))?.guessed).toBe(false);
  expect((await decodeText(bytes, 'no-such-encoding'))?.guessed).toBe(true);
});

test('gives nothing for binary content', async () => {
  expect(await decodeText(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))).toBeUndefined();
  expect(
    await decodeText(Uint8Array.from({ length: 400 }, (_, at) => (at % 7) + 200 - (at % 3) * 199)),
  ).toBeUndefined();
});

test('gives back any text that was written in UTF-8', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme' }), async (text) => {
      // A zero byte is what tells binary content from text.
      const written = text.replaceAll('\0', '').replace(/^\ufeff+/, '');
      expect((await decodeText(Buffer.from(written)))?.text).toBe(written);
    }),
  );
});

test('settles on any bytes', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      expect(['undefined', 'string']).toContain(typeof (await decodeText(bytes))?.text);
    }),
  );
});
