import './kinds.css';
import { findSentence } from '../code/sentence.ts';
import { plainly } from '../shell/words.ts';
import { CodeBlock } from './code-block.tsx';
import type { KindText } from './kind-text.ts';
import { type Block, blocksOf } from './markdown-blocks.ts';
import { isLit } from './marked.tsx';
import { Styled } from './styled.tsx';

type Look = Pick<KindText, 'marks' | 'words'>;

/** A page of Markdown as it is meant to look. Its links and pictures are words here: nothing of a document acts. */
export function Markdown({ path, text, firstLine, lit, marks, words }: KindText) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
    // biome-ignore lint/a11y/useSemanticElements: a text is no group of fields.
    <div class="code shown markdown" tabIndex={0} role="group" aria-label={`Text of ${plainly(path)}`}>
      {blocksOf(text).map((block, index) => (
        <div key={index} dir="auto" class={isLit(firstLine, block.lines, lit) ? 'block is-lit' : 'block'}>
          <BlockText block={block} look={{ marks, words }} />
        </div>
      ))}
    </div>
  );
}

function BlockText({ block, look }: { block: Block; look: Look }) {
  switch (block.kind) {
    case 'heading':
      // No headings of the page itself, whose order they would break.
      return (
        <p class={`md-heading level-${block.level}`}>
          <Inline text={block.text} look={look} />
        </p>
      );
    case 'code':
      return <CodeBlock {...block} {...look} />;
    case 'rule':
      return <hr />;
    case 'table':
      return <TableOf block={block} look={look} />;
    case 'item':
      return (
        <p class={`md-item depth-${block.depth}`}>
          <span aria-hidden="true">{block.mark}</span> <Inline text={block.text} look={look} />
        </p>
      );
    default:
      return (
        <p class={`md-${block.kind}`}>
          <Inline text={block.text} look={look} />
        </p>
      );
  }
}

function TableOf({ block, look }: { block: Extract<Block, { kind: 'table' }>; look: Look }) {
  return (
    <table class="md-table">
      {block.head.length > 0 && (
        <thead>
          <tr>
            {block.head.map((cell, at) => (
              <th key={at} scope="col">
                <Inline text={cell} look={look} />
              </th>
            ))}
          </tr>
        </thead>
      )}
      <tbody>
        {block.rows.map((cells, index) => (
          <tr key={index}>
            {cells.map((cell, at) => (
              <td key={at}>
                <Inline text={cell} look={look} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Inline({ text, look: { marks, words } }: { text: string; look: Look }) {
  const said = words === undefined || words === '' ? undefined : findSentence(text, words);
  if (said)
    return (
      <>
        <Styled text={text.slice(0, said[0])} marks={undefined} />
        <mark class="said">
          <Styled text={text.slice(...said)} marks={undefined} />
        </mark>
        <Styled text={text.slice(said[1])} marks={undefined} />
      </>
    );
  return <Styled text={text} marks={words === undefined ? marks : undefined} />;
}
