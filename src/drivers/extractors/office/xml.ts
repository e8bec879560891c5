import { importOptional } from '../../../platform/import-optional.ts';
import type { Deadline } from '../bounds.ts';

/** What happens while XML is read; a missing handler ignores its event. */
export interface XmlHandlers {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  text?(text: string): void;
  close?(name: string): void;
  /** Whether there is enough: the rest is left unread. */
  isFull?(): boolean;
}

/** Reads XML piece by piece; returns false when the time ended, or there was enough, before the end of the text. */
export type XmlReader = (xml: string, handlers: XmlHandlers) => Promise<boolean>;

const pieceLength = 16 * 1024;

/**
 * A tolerant reader that knows the five entities of XML and character numbers only: declared entities are not
 * expanded, and nothing outside the text is looked up.
 */
export async function createXmlReader(deadline: Deadline): Promise<XmlReader> {
  const { Parser } = await importOptional('htmlparser2', 'Reading office files', () => import('htmlparser2'));
  return async (xml, handlers) => {
    const parser = new Parser(
      {
        onopentag: (name, attributes) => handlers.open?.(name, attributes),
        ontext: (text) => handlers.text?.(text),
        onclosetag: (name) => handlers.close?.(name),
      },
      { xmlMode: true },
    );
    let at = 0;
    for (; at < xml.length && !deadline.passed() && !handlers.isFull?.(); at += pieceLength)
      parser.write(xml.slice(at, at + pieceLength));
    parser.end();
    return at >= xml.length;
  };
}
