import type { RootContent } from 'hast';
import { common, createLowlight } from 'lowlight';
import './colour.css';

const lowlight = createLowlight(common);

/** A stretch of a line in one colour. */
export interface Stretch {
  readonly text: string;
  /** The classes of its colour; empty for plain text. */
  readonly colour: string;
}

/** The lines of a text, coloured by a grammar. The result is data: no markup is ever made from a document. */
export function colouredLines(text: string, grammar: string): Stretch[][] {
  const lines: Stretch[][] = [[]];
  const add = (nodes: readonly RootContent[], colour: string): void => {
    for (const node of nodes) {
      if (node.type === 'element') {
        const own = node.properties.className;
        add(node.children as RootContent[], Array.isArray(own) ? own.join(' ') : colour);
      } else if (node.type === 'text') {
        const [first = '', ...rest] = node.value.split('\n');
        lines.at(-1)?.push({ text: first, colour });
        for (const line of rest) lines.push([{ text: line, colour }]);
      }
    }
  };
  add(lowlight.highlight(grammar, text).children, '');
  return lines;
}
