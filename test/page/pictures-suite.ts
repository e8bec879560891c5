import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stripsOf, tiffPages } from '../../src/drivers/extractors/picture/tiff.ts';
import { browserProgram, look } from './browser.ts';
import { searchFor, sharedPage, soon } from './open-page.ts';

/** A PDF of these pages, each with its lines, in a font that is not in it, as many programs write one. */
function pdfOf(pages: readonly (readonly string[])[]): string {
  const contents = pages.map((lines) =>
    lines.map((line, at) => `BT /F1 18 Tf 60 ${760 - at * 40} Td (${line}) Tj ET`).join('\n'),
  );
  const kids = pages.map((_, at) => `${4 + 2 * at} 0 R`).join(' ');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${kids}] /Count ${pages.length} >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...contents.flatMap((content, at) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${5 + 2 * at} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
      `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    ]),
  ];
  let text = '%PDF-1.7\n';
  const offsets = objects.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  return `${text}xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`;
}

/** A PDF of a page with a text, and below it a picture as scanners pack it. */
function scanOf(text: string, entries: string, stream: Uint8Array): Buffer {
  const [width, height] = [420, 110];
  const content = `BT /F1 18 Tf 60 760 Td (${text}) Tj ET q ${width} 0 0 ${height} 60 300 cm /I Do Q`;
  const before = `%PDF-1.7
1 0 obj
<< /Type /Catalog /Pages 2 0 R >>
endobj
2 0 obj
<< /Type /Pages /Kids [3 0 R] /Count 1 >>
endobj
3 0 obj
<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> /XObject << /I 6 0 R >> >> >>
endobj
4 0 obj
<< /Length ${content.length} >>
stream
${content}
endstream
endobj
5 0 obj
<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>
endobj
6 0 obj
<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} ${entries} /Length ${stream.length} >>
stream
`;
  const after = '\nendstream\nendobj\ntrailer\n<< /Size 7 /Root 1 0 R >>\n%%EOF\n';
  return Buffer.concat([Buffer.from(before), stream, Buffer.from(after)]);
}

const sample = (name: string) => readFileSync(new URL(`../fixtures/pictures/${name}`, import.meta.url));

/** The sample as fax: how a PDF describes its bytes, and those. */
function faxOfSample(): [entries: string, stream: Uint8Array] {
  const bytes = sample('harbour-g4.tif');
  const [page] = tiffPages(bytes);
  const strip = page && stripsOf(bytes, page).strips[0];
  if (!strip) throw new Error('no strip');
  return strip.asPdf();
}

const files = {
  'papers/statutes.pdf': pdfOf([
    ['Statutes of the boat club', 'The club owns four skiffs.'],
    ['The assembly meets in February.', 'The board may spend 4000 euros without asking.'],
  ]),
  'notes/lamp.md': '# Lamp\n\nThe lamp is lit at dusk.\n',
};

describe.skipIf(!browserProgram)('pages and pictures as they look (needs chromium)', () => {
  const opened = sharedPage(files);
  const canvas = () => opened().page.locator('.pane .picture canvas');
  const named = () => canvas().getAttribute('aria-label');
  /** The share of the picture that is dark, in ten thousandths. */
  const ink = () =>
    opened().page.evaluate<number>(`(() => {
      const canvas = document.querySelector('.pane .picture canvas');
      const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
      let dark = 0;
      for (let at = 0; at < data.length; at += 4) if (data[at] < 128) dark += 1;
      return Math.round((dark * 10000) / (canvas.width * canvas.height));
    })()`);

  test('a PDF is the picture of its page with the words of the query marked, and leads to the other pages', async () => {
    const { page } = opened();
    await searchFor(page, 'statutes skiffs club');
    await page.locator('.hit', { hasText: 'statutes.pdf' }).first().click();
    await soon(named).toMatch(/^Page 1 of papers\/statutes\.pdf, [3-9] words marked$/);
    await soon(ink).toBeGreaterThan(20);
    await look(page, 'kind-pdf');
    await page.getByRole('button', { name: 'Page after' }).click();
    await soon(named).toMatch(/^Page 2 of/);
    await page.getByRole('button', { name: 'As it is written' }).click();
    await soon(() => page.locator('.pane .line').first().textContent()).toContain(
      'Statutes of the boat club',
    );
    await page.getByRole('button', { name: 'As a picture' }).click();
  });

  test('what scanners pack as fax or JPEG 2000 is drawn too', async () => {
    const { page, folder, id, running } = opened();
    const fax = scanOf('The fax of the harbour', ...faxOfSample());
    await writeFile(join(folder, 'papers/fax.pdf'), fax);
    const photo = scanOf('The photo of the harbour', '/Filter /JPXDecode', sample('harbour.jp2'));
    await writeFile(join(folder, 'papers/photo.pdf'), photo);
    await running.client.call(id, 'index', {});
    for (const name of ['fax.pdf', 'photo.pdf']) {
      await searchFor(page, `${name.slice(0, -4)} of the harbour`);
      await page.locator('.hit', { hasText: name }).first().click();
      await soon(named).toMatch(new RegExp(`papers/${name.replace('.', '\\.')}, \\d words marked`));
      // The line of text alone is less than half of that.
      await soon(ink).toBeGreaterThan(45);
    }
  });

  test('a source of an answer opens its page with the sentence marked where it stands', async () => {
    const { page } = opened();
    await page.getByRole('searchbox').fill('How much may the board spend without asking?');
    await page.getByRole('region', { name: 'Answer' }).locator('.chip').first().click();
    await soon(named).toBe('Page 2 of papers/statutes.pdf, 8 words marked');
    const boxes = await page.evaluate<string[]>(
      "[...document.querySelectorAll('.picture-mark.said')].map((mark) => mark.style.top)",
    );
    // All on one line, the second of its page.
    expect(new Set(boxes).size).toBe(1);
    expect(Number.parseFloat(boxes[0] ?? '')).toBeGreaterThan(10);
    expect(Number.parseFloat(boxes[0] ?? '')).toBeLessThan(16);
  });

  test('a file that has changed since is shown as its text, with the reason', async () => {
    const { page, folder } = opened();
    await searchFor(page, 'lamp statutes club');
    await page.locator('.hit', { hasText: 'lamp.md' }).first().click();
    await soon(() => page.locator('.pane').textContent()).toContain('lit at dusk');
    await writeFile(join(folder, 'papers/statutes.pdf'), 'no longer what it was');
    await page.locator('.hit', { hasText: 'statutes.pdf' }).first().click();
    await page.locator('.pane', { hasText: 'has changed since it was indexed' }).waitFor();
    await soon(() => page.locator('.pane .line').count()).toBeGreaterThan(0);
  });
});
