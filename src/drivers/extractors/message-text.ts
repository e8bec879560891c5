import type { Address, Attachment, Email } from 'postal-mime';
import type { DatedPart } from '../../contracts/extractor.ts';
import { timeIn } from '../../core/documents/mail.ts';
import { QuarryError } from '../../core/errors.ts';
import type { Place } from '../../core/place.ts';
import { importOptional } from '../../platform/import-optional.ts';
import { type Deadline, sizeOf } from './bounds.ts';
import { htmlToMarkdown } from './html/html-to-markdown.ts';
import { headerNames, headerValue, isoDate, type MessageHeaders } from './message-headers.ts';

/** An e-mail as text: its headers, its body with quotations and signature, the names of its attachments. */
export interface MessageText {
  readonly headers: MessageHeaders;
  readonly text: string;
  readonly attachments: readonly string[];
  /** When the last server took it in, as that server wrote it. */
  readonly received?: string | undefined;
  readonly degraded?: string;
}

/** The point of a message with this number in its file. */
export function messagePoint(number: number, { headers }: MessageText): MessagePoint {
  const time = timeIn(headers.date);
  return {
    message: number,
    subject: headers.subject ?? '',
    ...(time !== undefined && { date: new Date(time).toISOString() }),
  };
}

type MessagePoint = Extract<Place, { kind: 'messages' }>['first'];

/** A message from this offset on, with the time that it states, else that of its delivery. */
export function datedPart(start: number, message: MessageText, delivered?: string): DatedPart {
  const { headers, received } = message;
  const writtenAt = timeIn(headers.date) ?? timeIn(received) ?? timeIn(delivered);
  return { start, ...(writtenAt !== undefined && { writtenAt }) };
}

/** Parts inside parts up to this depth; mail of people has five. */
const deepestNesting = 50;
const maxAttachments = 100;
/** The parser cannot be stopped once it runs, and each part takes time. */
const maxPartLines = 10_000;

/** Reads one message in the format of RFC 5322; a message without a single header is refused. */
export async function messageText(
  raw: Uint8Array,
  deadline: Deadline,
  outputCharacters: number,
): Promise<MessageText | undefined> {
  refuseManyParts(raw);
  const { default: PostalMime } = await importOptional(
    'postal-mime',
    'Reading e-mail',
    () => import('postal-mime'),
  );
  const email = await PostalMime.parse(raw, {
    maxNestingDepth: deepestNesting,
    attachmentEncoding: 'arraybuffer',
  });
  const headers = headersOf(email);
  if (Object.values(headers).every((value) => value === undefined)) return undefined;
  const body = await bodyOf(email, deadline, outputCharacters);
  const attachments = email.attachments.slice(0, maxAttachments).map(attachmentName);
  return {
    ...writtenMessage(headers, body.text, attachments, body.degraded),
    received: email.headers
      .find(({ key }) => key === 'received')
      ?.value.split(';')
      .at(-1),
  };
}

/** A message as text, whatever it was kept in: its headers, its body, and the names of its attachments. */
export function writtenMessage(
  headers: MessageHeaders,
  body: string,
  attachments: readonly string[],
  degraded?: string,
): MessageText {
  const lines = headerNames.flatMap(([field, name]) =>
    headers[field] ? [`${name}: ${headers[field]}`] : [],
  );
  const list = attachments.length > 0 ? `\n\nAttachments: ${attachments.join(', ')}` : '';
  return {
    headers,
    // A form feed in the body would look like the end of the message.
    text: `${lines.join('\n')}\n\n${body.replaceAll('\f', '\n').trim()}${list}`.trim(),
    attachments,
    ...(degraded && { degraded }),
  };
}

function refuseManyParts(raw: Uint8Array): void {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  let lines = 0;
  for (let at = bytes.indexOf('\n--'); at >= 0; at = bytes.indexOf('\n--', at + 3)) {
    lines += 1;
    if (lines > maxPartLines) {
      throw new QuarryError(
        'document-unsupported',
        `more than ${maxPartLines} parts`,
        'Export the message again, without its attachments.',
      );
    }
  }
}

function headersOf(email: Email): MessageHeaders {
  const written = email.headers.find(({ key }) => key === 'date')?.value;
  return {
    from: headerValue(email.from && addressText(email.from)),
    to: headerValue(email.to?.map(addressText).join(', ')),
    cc: headerValue(email.cc?.map(addressText).join(', ')),
    // The parser makes a date of almost anything.
    date: headerValue(written && isoDate(written)),
    subject: headerValue(email.subject),
    messageId: headerValue(email.messageId),
    inReplyTo: headerValue(email.inReplyTo),
  };
}

async function bodyOf(
  email: Email,
  deadline: Deadline,
  outputCharacters: number,
): Promise<{ text: string; degraded?: string }> {
  if (email.text?.trim() || !email.html) return { text: email.text?.replace(/\r\n?/g, '\n') ?? '' };
  const page = await htmlToMarkdown(email.html, deadline, outputCharacters);
  return { text: page.markdown, ...(page.degraded && { degraded: page.degraded }) };
}

function addressText(address: Address): string {
  if (address.group) return `${address.name}: ${address.group.map(addressText).join(', ')}`;
  const { name, address: mailbox = '' } = address;
  if (!name) return mailbox;
  return mailbox === '' ? name : `${name} <${mailbox}>`;
}

function attachmentName({ filename, mimeType, content }: Attachment): string {
  const size = typeof content === 'string' ? content.length : content.byteLength;
  return `${headerValue(filename) ?? 'unnamed'} (${mimeType}, ${sizeOf(size)})`;
}
