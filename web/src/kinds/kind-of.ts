import type { ComponentType } from 'preact';
import { isChat } from './chat-parts.ts';
import type { KindText } from './kind-text.ts';
import { isMarkdown } from './without-markup.ts';

interface Kind {
  /** What a reader calls it. */
  readonly name: string;
  fits(path: string, text: string): boolean;
  load(): Promise<ComponentType<KindText>>;
}

/** Lines that are looked at to tell what a text is. */
const looked = 30;
const logLine = /^\W{0,2}(?:\d{4}-\d\d-\d\d|\d\d:\d\d:\d\d|\w{3} [ \d]\d \d\d:\d\d)/;

/** The kinds that are shown otherwise than line by line, the first that fits; what comes new is a row here. */
const kinds: readonly Kind[] = [
  {
    name: 'Mail',
    fits: (_, text) => /^(?:From|To|Subject|Date): .+\n(?:[A-Z][\w-]+: .*\n)+/m.test(text.slice(0, 2000)),
    load: async () => (await import('./mail.tsx')).Mail,
  },
  {
    name: 'Picture',
    fits: (path) => /\.(?:pdf|png|jpe?g|webp|tiff?)$/i.test(path),
    load: async () => (await import('./picture/picture.tsx')).PicturePage,
  },
  {
    name: 'Conversation',
    fits: (path, text) => /^conversation:|\.(?:json|txt)$/i.test(path) && isChat(text),
    load: async () => (await import('./chat.tsx')).Chat,
  },
  {
    name: 'Notebook',
    // Its text is Markdown: what is written, code, and what that gave.
    fits: (path) => /\.ipynb$/i.test(path),
    load: async () => (await import('./markdown.tsx')).Markdown,
  },
  {
    name: 'Page',
    fits: isMarkdown,
    load: async () => (await import('./markdown.tsx')).Markdown,
  },
  {
    name: 'Table',
    fits: (path) => /\.(?:csv|tsv)$/i.test(path),
    load: async () => (await import('./table.tsx')).Table,
  },
  {
    name: 'Table',
    fits: (path) => /\.(?:xl[st][xmb]?|f?ods|ots)$/i.test(path),
    load: async () => (await import('./sheets.tsx')).Sheets,
  },
  {
    name: 'Log',
    fits(_, text) {
      const lines = text.split('\n', looked).filter((line) => line.trim() !== '');
      return lines.length > 1 && lines.filter((line) => logLine.test(line)).length > lines.length / 2;
    },
    load: async () => (await import('./log.tsx')).Log,
  },
];

/** The kind of a text; undefined for what is shown line by line. */
export function kindOf(path: string, text: string): Kind | undefined {
  return kinds.find((kind) => kind.fits(path, text));
}
