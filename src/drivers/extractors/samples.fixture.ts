import { strToU8, zipSync } from 'fflate';
import type { Extraction, Extractor } from '../../contracts/extractor.ts';

/** Extracts a file of this name from bytes or from text in UTF-8. */
export function extractFrom(
  extractor: Extractor,
  content: Uint8Array | string,
  mediaType = 'text/plain',
): Promise<Extraction> {
  const bytes = typeof content === 'string' ? strToU8(content) : content;
  return extractor.extract({ uri: 'sample', bytes, mediaType });
}

/** The text of an extraction; a skip comes out as its reason and rule, so that a comparison shows it. */
export function textOf(extraction: Extraction): string {
  return extraction.kind === 'text' ? extraction.text : `${extraction.reason}: ${extraction.rule}`;
}

/** A PDF with these lines on its pages, 14 points apart; an empty line is a gap, an empty page has only a drawing. */
export function pdfOf(pages: readonly (readonly string[])[], trailer = ''): Uint8Array {
  const objects: string[] = ['<< /Type /Catalog /Pages 2 0 R >>', ''];
  const kids: string[] = [];
  objects.push(
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    '<< /Title (A tale of two pages) >>',
  );
  for (const lines of pages) {
    const steps = lines.map((line) => (line === '' ? '0 -14 Td' : `(${line}) Tj 0 -14 Td`)).join('\n');
    const content = lines.length > 0 ? `BT /F1 12 Tf 72 720 Td\n${steps}\nET` : '0 0 100 100 re f';
    objects.push(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`);
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${objects.length} 0 R ` +
        '/Resources << /Font << /F1 3 0 R >> >> >>',
    );
    kids.push(`${objects.length} 0 R`);
  }
  objects[1] = `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${kids.length} >>`;
  return assemblePdf(objects, trailer);
}

function assemblePdf(objects: readonly string[], trailer: string): Uint8Array {
  let body = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = body.length;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`;
  const end = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R /Info 4 0 R ${trailer} >>`;
  return strToU8(`${body}${table}${end}\nstartxref\n${body.length}\n%%EOF\n`, true);
}

/** A Word file with this body, and a style `Heading2` that only its styles part explains. */
export function docxOf(body: string, parts: Readonly<Record<string, string>> = {}): Uint8Array {
  const namespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
  const files: Record<string, string> = {
    '[Content_Types].xml': '<Types/>',
    'word/document.xml': `<?xml version="1.0"?><w:document ${namespace}><w:body>${body}</w:body></w:document>`,
    'word/styles.xml':
      `<w:styles ${namespace}><w:style w:styleId="Titel"><w:name w:val="Title"/></w:style>` +
      '<w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>' +
      '<w:style w:styleId="Own"><w:name w:val="My own"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr></w:style></w:styles>',
    'word/numbering.xml':
      `<w:numbering ${namespace}><w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/>` +
      '</w:lvl></w:abstractNum><w:num w:numId="2"><w:abstractNumId w:val="7"/></w:num></w:numbering>',
    ...parts,
  };
  return zipSync(Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, strToU8(xml)])));
}

/** A paragraph of a Word file, with the properties that make it a heading or a list item. */
export function wordParagraph(text: string, properties = ''): string {
  return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
}

/** A message with a quotation, a signature and an attachment. */
export const sampleMessage = [
  'From: =?utf-8?Q?Ren=C3=A9e?= <renee@example.org>',
  'To: Bo <bo@example.org>, team@example.org',
  'Subject: Re: Release',
  'Date: Tue, 3 Mar 2026 10:00:00 +0100',
  'Message-ID: <two@example.org>',
  'In-Reply-To: <one@example.org>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/mixed; boundary="frontier"',
  '',
  '--frontier',
  'Content-Type: text/plain; charset=iso-8859-1',
  'Content-Transfer-Encoding: quoted-printable',
  '',
  'Caf=E9 at noon works.',
  '',
  '> Shall we ship?',
  '',
  '-- ',
  'Ren=E9e',
  '--frontier',
  'Content-Type: application/pdf; name="plan.pdf"',
  'Content-Disposition: attachment; filename="plan.pdf"',
  'Content-Transfer-Encoding: base64',
  '',
  'AAAA',
  '--frontier--',
  '',
].join('\r\n');

/** A page with a banner, navigation and a footer around an article. */
export const samplePage = `<!doctype html><html><head><title>Guide &amp; more</title>
<style>p { color: red }</style><script>var hidden = 1;</script></head><body>
<header><a href="/">Home of everything</a></header><nav><ul><li>Menu one</li><li>Menu two</li></ul></nav>
<main><h1>Getting started</h1><p>Install it
 with <code>npm</code> and read <a href="/x">the manual</a>.</p>
<h2>Steps</h2><ol><li>One</li><li>Two<ul><li>Inner</li></ul></li></ol>
<table><tr><th>Key</th><th>Value</th></tr><tr><td>a|b</td><td>1</td></tr></table>
<pre><code class="language-sh">npm install
npm test</code></pre><blockquote><p>Well said</p></blockquote></main>
<footer>Copyright nobody</footer></body></html>`;

/** A notebook with every kind of cell. */
export const sampleNotebook = JSON.stringify({
  nbformat: 4,
  metadata: { language_info: { name: 'Python' } },
  cells: [
    { cell_type: 'markdown', source: ['# Churn\n', 'Why people leave.'] },
    {
      cell_type: 'code',
      source: 'print(rate)',
      outputs: [
        { output_type: 'stream', text: ['0.25\n'] },
        { output_type: 'display_data', data: { 'image/png': 'iVBORw0KGgo', 'text/plain': '<Figure>' } },
        { output_type: 'error', ename: 'KeyError', evalue: "'x'", traceback: ['\u001b[31mnoise'] },
      ],
    },
  ],
});
