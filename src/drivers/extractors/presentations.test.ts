import { describe, expect, test } from 'vitest';
import { defaultBounds } from './bounds.ts';
import { createOdpExtractor } from './odp.ts';
import { archiveOf, compoundStart, openDocumentOf, pptxOf, shapeOf } from './office/office-files.fixture.ts';
import { createPptxExtractor } from './pptx.ts';
import { extractFrom, textOf } from './samples.fixture.ts';

describe('a presentation of PowerPoint', () => {
  const pptx = createPptxExtractor();

  test('gives its slides in the order in which they are shown, with tables, drawings and notes', async () => {
    const table =
      '<a:tbl><a:tr><a:tc><a:p><a:r><a:t>Tea</a:t></a:r></a:p></a:tc><a:tc><a:p><a:r><a:t>3</a:t></a:r></a:p></a:tc></a:tr></a:tbl>';
    const inner =
      '<p:sp><a:p><a:pPr lvl="1"/><a:r><a:t>inner</a:t></a:r><a:br/><a:r><a:t>line</a:t></a:r></a:p></p:sp>';
    const file = pptxOf(
      [
        {
          shapes: shapeOf('Plan &amp; more', 'ctrTitle') + shapeOf('outer') + inner + shapeOf('7', 'sldNum'),
        },
        { shapes: table, notes: 'Say hello.', isHidden: true },
      ],
      { 'ppt/diagrams/data1.xml': '<dgm:pt><a:p><a:r><a:t>drawn</a:t></a:r></a:p></dgm:pt>' },
    );
    expect(await extractFrom(pptx, file)).toMatchObject({
      text: '# Plan & more\n\nouter\n\n  - inner\nline\n\f# (hidden)\n\n| Tea | 3 |\n| --- | --- |\n\ndrawn\n\nNotes: Say hello.\n',
      title: 'Plan & more',
      type: 'slides',
      chunker: 'slides',
      metadata: { slides: 2, hidden: 1 },
      places: {
        kind: 'slides',
        marks: [{ start: 0, at: { slide: 1 } }, { at: { slide: 2 } }, { at: { slide: 2, notes: true } }],
      },
    });
  });

  test('has the text of a table within a table in the cell that holds it', async () => {
    const words = (text: string) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;
    const inner = `<a:tbl><a:tr><a:tc>${words('green')}</a:tc><a:tc>${words('black')}</a:tc></a:tr></a:tbl>`;
    const table = `<a:tbl><a:tr><a:tc>${words('Tea')}${inner}</a:tc><a:tc>${words('3')}</a:tc></a:tr></a:tbl>`;
    expect(textOf(await extractFrom(pptx, pptxOf([{ shapes: table }])))).toContain('| Tea green black | 3 |');
  });

  test('keeps the numbers of the others where a slide is damaged', async () => {
    const file = pptxOf([{ shapes: shapeOf('one') }, { shapes: shapeOf('two') }]);
    const broken = Buffer.from(file);
    // The local header of the part of the first slide that is shown.
    broken.writeUInt32LE(0, broken.indexOf('ppt/slides/slide2.xml') - 30);
    const extraction = await extractFrom(pptx, broken);
    expect(extraction).toMatchObject({ places: { marks: [{ at: { slide: 1 } }, { at: { slide: 2 } }] } });
    expect(textOf(extraction).trim()).toBe('two');
  });

  test('with more text than the bound is read from its beginning, and says so', async () => {
    const slides = Array.from({ length: 50 }, (_, at) => ({ shapes: shapeOf(`words ${at} `.repeat(10)) }));
    const bounded = createPptxExtractor({ ...defaultBounds, outputCharacters: 500 });
    expect(await extractFrom(bounded, pptxOf(slides))).toMatchObject({
      degraded: expect.stringMatching(/^not read to the end: too much text after slide \d/),
    });
  });

  test('that lists slides without end is read within the bounds, and says so', async () => {
    const list = '<p:sldId r:id="rId0"/>'.repeat(100_000);
    const parts = { 'ppt/presentation.xml': `<p:presentation>${list}</p:presentation>` };
    expect(await extractFrom(pptx, pptxOf([{ shapes: shapeOf('again') }], parts))).toMatchObject({
      degraded: expect.stringMatching(/^not read to the end: too much text after slide \d+$/),
    });
    expect(
      await extractFrom(
        createOdpExtractor(),
        openDocumentOf('<draw:page><text:p>a</text:p></draw:page>'.repeat(50_000)),
      ),
    ).toMatchObject({
      degraded: expect.stringMatching(/^not read to the end/),
    });
  });

  test('that is locked, old or no presentation is left out with what to do about it', async () => {
    const reason = async (bytes: Uint8Array) => textOf(await extractFrom(pptx, bytes));
    expect(await reason(compoundStart('EncryptedPackage'))).toMatch(
      /encrypted PPTX: save it without a password/,
    );
    expect(await reason(compoundStart('PowerPoint Document'))).toMatch(
      /a file of PowerPoint 97-2003: save it as .pptx/,
    );
    expect(await reason(archiveOf({ a: 'b' }))).toBe('unsupported: no presentation in the archive');
  });
});

test('a presentation of OpenDocument gives its slides with notes, and marks hidden ones', async () => {
  const styles =
    '<style:style style:name="dp2"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>';
  const frame = (words: string, place: string) =>
    `<draw:frame presentation:class="${place}"><draw:text-box>${words}</draw:text-box></draw:frame>`;
  const list =
    '<text:list><text:list-item><text:p>outer</text:p><text:list><text:list-item><text:p>in<text:s/>ner</text:p></text:list-item></text:list></text:list-item></text:list>';
  const body =
    `<office:presentation><draw:page>${frame('<text:p>Plan</text:p>', 'title')}${frame(list, 'outline')}${frame('<text:p>3</text:p>', 'page-number')}` +
    '<presentation:notes><draw:frame presentation:class="notes"><text:p>Say hello.</text:p></draw:frame></presentation:notes></draw:page>' +
    '<draw:page draw:style-name="dp2"><text:p>old</text:p></draw:page></office:presentation>';
  expect(await extractFrom(createOdpExtractor(), openDocumentOf(body, styles))).toMatchObject({
    text: '# Plan\n\nouter\n\n  - in ner\n\nNotes: Say hello.\n\f# (hidden)\n\nold\n',
    title: 'Plan',
    places: { marks: [{ at: { slide: 1 } }, { at: { slide: 1, notes: true } }, { at: { slide: 2 } }] },
  });
});
