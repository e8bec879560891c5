import type { Extraction, RawFile } from '../../../contracts/extractor.ts';
import type { Deadline } from '../bounds.ts';
import { assistantOf, readAssistantExport } from './assistant-exports.ts';
import { chatExtraction } from './chat-text.ts';
import { isSlack, readSlack } from './slack.ts';

/** Bytes that are looked at before an array is read: what an export is made of stands near its beginning. */
const looked = 65_536;
const signs = /"(?:mapping|chat_messages)"|"ts"\s*:\s*"\d{9,11}\./;

/** The chat that a file of JSON holds, by what it is made of and not by its name; undefined for any other file. */
export function exportedChat(file: RawFile, deadline: Deadline): Extraction | undefined {
  const { bytes, uri, beside } = file;
  const beginning = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, looked)).toString(
    'latin1',
  );
  if (!/^(?:\u00ef\u00bb\u00bf)?\s*\[\s*\{/.test(beginning) || !signs.test(beginning)) return undefined;
  const assistant = assistantOf(bytes);
  if (assistant) return readAssistantExport(bytes, assistant, deadline);
  return isSlack(bytes) ? chatExtraction(readSlack(bytes, uri, beside)) : undefined;
}
