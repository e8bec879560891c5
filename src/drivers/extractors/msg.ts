import type { Extractor } from '../../contracts/extractor.ts';
import { type Bounds, bounded, type Deadline, defaultBounds, degradation } from './bounds.ts';
import { decodeText } from './decode-text.ts';
import { htmlToMarkdown } from './html/html-to-markdown.ts';
import { archivedHeaders, headerMetadata, headerValue, type MessageHeaders } from './message-headers.ts';
import { datedPart, messagePoint, writtenMessage } from './message-text.ts';
import { openCompoundFile, type Storage } from './msg/compound-file.ts';
import { unpackRtf } from './msg/compressed-rtf.ts';
import { type Properties, propertiesOf } from './msg/properties.ts';
import { isCompoundFile, unreadable } from './office/parts.ts';
import { plainText } from './plain-text.ts';
import { readRtf } from './rtf/read-rtf.ts';
import { encodingOfPage } from './rtf/rtf-encodings.ts';

/** Properties of a message by their numbers. */
const tag = {
  subject: 0x0037,
  submitted: 0x0039,
  headers: 0x007d,
  sentFor: 0x0042,
  senderName: 0x0c1a,
  senderAddress: 0x0c1f,
  senderMailbox: 0x5d01,
  recipientKind: 0x0c15,
  delivered: 0x0e06,
  body: 0x1000,
  packedRtf: 0x1009,
  html: 0x1013,
  messageId: 0x1035,
  inReplyTo: 0x1042,
  name: 0x3001,
  address: 0x3003,
  mailbox: 0x39fe,
  fileName: 0x3707,
  shortFileName: 0x3704,
  codePage: 0x3fde,
} as const;

const maxPeople = 1000;

/** Messages of Outlook: headers and body as text, attachments by name only; text of the same extension is read as such. */
export function createMsgExtractor(bounds = defaultBounds): Extractor {
  return bounded('Outlook message', bounds, async (file, deadline) => {
    if (!isCompoundFile(file.bytes)) return plainText(file, 'lines');
    const storage = openCompoundFile(file.bytes, bounds.unpackedBytes);
    if (!storage.streams.has('__properties_version1.0'))
      return unreadable('a compound file that is not a message of Outlook');
    return read(storage, deadline, bounds);
  });
}

export default createMsgExtractor;

async function read(storage: Storage, deadline: Deadline, bounds: Bounds) {
  const properties = propertiesOf(storage, 32);
  const page = encodingOfPage(properties.number(tag.codePage) ?? 0);
  const headers = headersOf(storage, properties, page);
  const { text: body, degraded } = await bodyOf(properties, page, deadline, bounds);
  const attachments = parts(storage, '__attach_version1.0_', 8, page).map(
    (part) =>
      headerValue(part.text(tag.fileName) ?? part.text(tag.shortFileName) ?? part.text(tag.name)) ??
      'without a name',
  );
  const message = writtenMessage(headers, body, attachments, degraded);
  return {
    kind: 'text' as const,
    text: message.text,
    chunker: 'email',
    type: 'email',
    places: { kind: 'messages' as const, marks: [{ start: 0, at: messagePoint(1, message) }] },
    messages: [datedPart(0, message)],
    metadata: { ...headerMetadata(headers), ...(attachments.length > 0 && { attachments }) },
    ...(headers.subject && { title: headers.subject }),
    ...degradation(degraded),
  };
}

function headersOf(storage: Storage, properties: Properties, page: string | undefined): MessageHeaders {
  const sent = archivedHeaders(`${properties.text(tag.headers)?.trimStart() ?? ''}\n\n`);
  const time = properties.time(tag.submitted) ?? properties.time(tag.delivered);
  const people = parts(storage, '__recip_version1.0_', 8, page);
  const named = (kind: number): string | undefined =>
    headerValue(
      people
        .filter((person) => (person.number(tag.recipientKind) ?? 1) === kind)
        .map((person) =>
          personText(person.text(tag.name), person.text(tag.mailbox) ?? person.text(tag.address)),
        )
        .filter(Boolean)
        .join(', '),
    );
  const sender = properties.text(tag.senderMailbox) ?? properties.text(tag.senderAddress);
  return {
    from:
      headerValue(personText(properties.text(tag.senderName) ?? properties.text(tag.sentFor), sender)) ??
      sent?.from,
    to: named(1) ?? sent?.to,
    cc: named(2) ?? sent?.cc,
    date: time === undefined ? sent?.date : new Date(time).toISOString(),
    subject: headerValue(properties.text(tag.subject)) ?? sent?.subject,
    messageId: headerValue(properties.text(tag.messageId)) ?? sent?.messageId,
    inReplyTo: headerValue(properties.text(tag.inReplyTo)) ?? sent?.inReplyTo,
  };
}

/** Recipients or attachments: storages whose names begin so. */
function parts(
  storage: Storage,
  prefix: string,
  headerBytes: number,
  page: string | undefined,
): Properties[] {
  return [...storage.storages]
    .filter(([name]) => name.startsWith(prefix))
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, maxPeople)
    .map(([, part]) => propertiesOf(part, headerBytes, page));
}

/** The plain body, else the page, else the packed RTF: of these three a message has one at least. */
async function bodyOf(
  properties: Properties,
  page: string | undefined,
  deadline: Deadline,
  { outputCharacters }: Bounds,
): Promise<{ readonly text: string; readonly degraded?: string | undefined }> {
  const plain = properties.text(tag.body);
  if (plain?.trim()) return { text: plain.replace(/\r\n?/g, '\n') };
  const bytes = properties.bytes(tag.html);
  const html = properties.text(tag.html) ?? (bytes && (await decodeText(bytes, page))?.text);
  if (html?.trim()) {
    const { markdown, degraded } = await htmlToMarkdown(html, deadline, outputCharacters);
    return { text: markdown, degraded };
  }
  const packed = properties.bytes(tag.packedRtf);
  const rtf = packed && unpackRtf(packed, outputCharacters);
  if (!rtf) return { text: '' };
  const { blocks, unread } = readRtf(rtf, deadline, outputCharacters);
  return {
    text: blocks.blocks.map(({ text }) => text).join('\n\n'),
    degraded: unread && `not read to the end: ${unread}`,
  };
}

function personText(name: string | undefined, address: string | undefined): string {
  // Within a company an address is the path of a directory, which says nothing to anybody.
  const mailbox = address?.includes('@') ? address : '';
  if (!name || name === mailbox) return mailbox;
  return mailbox === '' ? name : `${name} <${mailbox}>`;
}
