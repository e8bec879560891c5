import { describe, expect, test } from 'vitest';
import { defaultBounds } from './bounds.ts';
import { createEpubExtractor } from './epub.ts';
import { createOdtExtractor } from './odt.ts';
import { archiveOf, epubOf, openDocumentOf } from './office/office-files.fixture.ts';
import { extractFrom, textOf } from './samples.fixture.ts';

describe('a letter of OpenDocument', () => {
  const odt = createOdtExtractor();

  test('gives headings, lists and tables as Markdown, and notes after the text', async () => {
    const styles =
      '<text:list-style style:name="L2"><text:list-level-style-number text:level="1"/></text:list-style>';
    const list = (style: string, text: string) =>
      `<text:list text:style-name="${style}"><text:list-item><text:p>${text}</text:p></text:list-item></text:list>`;
    const cell = (text: string) => `<table:table-cell><text:p>${text}</text:p></table:table-cell>`;
    const body =
      '<office:text><text:tracked-changes><text:p>gone</text:p></text:tracked-changes>' +
      '<text:h text:outline-level="1">דוח</text:h><text:p>Fish<text:s text:c="2"/>&amp; <text:span>chips</text:span>' +
      '<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>With peas.</text:p></text:note-body></text:note>' +
      '<office:annotation><dc:creator>Bo</dc:creator><text:p>Really?</text:p></office:annotation>.</text:p>' +
      `${list('L1', 'bullet')}${list('L2', 'first')}<text:h text:outline-level="2">Costs</text:h>` +
      `<table:table><table:table-row>${cell('Tea')}${cell('3')}</table:table-row></table:table></office:text>`;
    const extraction = await extractFrom(odt, openDocumentOf(body, styles));
    expect(extraction).toMatchObject({
      text: '# דוח\n\nFish  & chips.\n\n- bullet\n\n1. first\n\n## Costs\n\n| Tea | 3 |\n| --- | --- |\n\nWith peas.\n\nReally?',
      title: 'דוח',
      chunker: 'markdown',
    });
    const places = extraction.kind === 'text' ? extraction.places?.marks.map(({ at }) => at) : [];
    expect(places?.slice(1)).toEqual([
      { heading: 'דוח', paragraph: 1 },
      { heading: 'דוח', paragraph: 2 },
      { heading: 'דוח', paragraph: 3 },
      { heading: 'דוח > Costs', paragraph: 0 },
      { heading: 'דוח > Costs', paragraph: 1 },
      { heading: 'notes', paragraph: 1 },
      { heading: 'comments', paragraph: 1 },
    ]);
  });

  test('stops a bomb at the bound, and is read as far as that', async () => {
    const file = openDocumentOf(`<office:text>${'<text:p>all work</text:p>'.repeat(100_000)}</office:text>`);
    expect(file.length).toBeLessThan(50_000);
    const extraction = await extractFrom(
      createOdtExtractor({ ...defaultBounds, unpackedBytes: 100_000 }),
      file,
    );
    expect(extraction).toMatchObject({ degraded: 'not read to the end: too much text' });
    expect(textOf(extraction).length).toBeLessThan(100_000);
  });

  test('survives elements nested without end', async () => {
    const deep = openDocumentOf(`<office:text>${'<text:list><text:list-item><text:p>'.repeat(5000)}deep`);
    expect(textOf(await extractFrom(odt, deep))).toContain('deep');
  });
});

describe('a book', () => {
  const epub = createEpubExtractor();

  test('gives its chapters in reading order, under their headings or the names of the contents', async () => {
    const file = epubOf([
      { html: '<h1>Water</h1><p>Boil it.</p><aside><p>A note.</p></aside><pre>a\n\n\n# b</pre>' },
      { html: '<p>Wait.</p>', name: 'Leaves &amp; time' },
      { html: '<p>And wait.</p>' },
    ]);
    const extraction = await extractFrom(epub, file);
    expect(extraction).toMatchObject({
      text: '# Water\n\nBoil it.\n\nA note.\n\n```\na\n\n\n# b\n```\n\n# Leaves & time\n\nWait.\n\nAnd wait.',
      title: 'On tea',
      type: 'book',
      metadata: { author: 'Ada', book_language: 'en' },
    });
    const marks = extraction.kind === 'text' ? (extraction.places?.marks ?? []) : [];
    expect(marks.map(({ at }) => at)).toEqual([
      { heading: 'Water', paragraph: 0 },
      { heading: 'Water', paragraph: 1 },
      { heading: 'Water', paragraph: 2 },
      { heading: 'Water', paragraph: 3 },
      { heading: 'Leaves & time', paragraph: 0 },
      { heading: 'Leaves & time', paragraph: 1 },
      { heading: 'Leaves & time', paragraph: 2 },
    ]);
  });

  test('numbers a heading that has the path of an earlier one, also of one that is written so', async () => {
    const names = ['Part', 'Part (2)', 'Part', 'Part'];
    const html = names.map((name) => `<h1>${name}</h1><h2>Aims</h2>`).join('');
    const extraction = await extractFrom(epub, epubOf([{ html }]));
    const marks = extraction.kind === 'text' ? (extraction.places?.marks ?? []) : [];
    expect(marks.map(({ at }) => at)).toEqual(
      ['Part', 'Part (2)', 'Part (3)', 'Part (4)'].flatMap((name) => [
        { heading: name, paragraph: 0 },
        { heading: `${name} > Aims`, paragraph: 0 },
      ]),
    );
    expect(textOf(extraction)).toBe(names.map((name) => `# ${name}\n\n## Aims`).join('\n\n'));
  });

  test('takes the names of a table of contents of version 3, which is no chapter', async () => {
    const opf =
      '<package><manifest><item id="n" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="n"/><itemref idref="c"/></spine></package>';
    const file = epubOf([], {
      'OPS/book.opf': opf,
      'OPS/nav.xhtml': '<nav><a href="c.xhtml">Leaves</a></nav>',
      'OPS/c.xhtml': '<p>Wait.</p>',
    });
    expect(textOf(await extractFrom(epub, file))).toBe('# Leaves\n\nWait.');
  });

  test('loses a chapter that is damaged or missing, and says so', async () => {
    const file = Buffer.from(epubOf([{ html: '<p>one</p>' }, { html: '<p>two</p>' }]));
    file.writeUInt32LE(0, file.indexOf('OPS/text/c 0.xhtml') - 30);
    expect(await extractFrom(epub, file)).toMatchObject({
      text: 'two',
      degraded: '1 of 2 chapters cannot be read',
    });
  });

  test('that is protected, or whose parts lead elsewhere, is left out with a reason', async () => {
    const locked = {
      'META-INF/encryption.xml':
        '<encryption><enc:CipherReference URI="OPS/text/c%200.xhtml"/><enc:CipherReference URI="font.otf"/></encryption>',
    };
    expect(textOf(await extractFrom(epub, epubOf([{ html: 'x' }], locked)))).toBe(
      'unsupported: a protected EPUB (DRM): only programs of its seller can read it',
    );
    const font = { 'META-INF/encryption.xml': '<enc:CipherReference URI="font.otf"/>' };
    expect(textOf(await extractFrom(epub, epubOf([{ html: 'read' }], font)))).toBe('read');
    expect(textOf(await extractFrom(epub, archiveOf({ a: 'b' })))).toBe(
      'unsupported: no book in the archive',
    );
    const outside =
      '<package><manifest><item id="c" href="../../../../etc/passwd" media-type="text/html"/></manifest><spine><itemref idref="c"/></spine></package>';
    expect(textOf(await extractFrom(epub, epubOf([], { 'OPS/book.opf': outside })))).toBe(
      'empty: nothing but white space',
    );
  });

  test('that lists a chapter without end is read once for each, within the bound', async () => {
    const spine = '<itemref idref="c"/>'.repeat(100_000);
    const opf = `<package><manifest><item id="c" href="text/c%200.xhtml" media-type="text/html"/></manifest><spine>${spine}</spine></package>`;
    const bounded = createEpubExtractor({ ...defaultBounds, outputCharacters: 10_000 });
    const extraction = await extractFrom(
      bounded,
      epubOf([{ html: '<p>again and again</p>' }], { 'OPS/book.opf': opf }),
    );
    expect(extraction).toMatchObject({
      degraded: expect.stringMatching(/^the last \d+ of 5000 chapters left unread/),
    });
  });
});
