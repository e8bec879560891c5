import { type ComponentChildren, Fragment, h } from 'preact';
import { shownData } from '../../../src/core/text/shown-text.ts';
import type { Block, TableBlock } from '../../../src/evaluation/report/blocks.ts';
import type { Drawing } from '../../../src/evaluation/report/drawing.ts';
import { TableHead } from '../shell/table-head.tsx';
import { plural } from '../shell/words.ts';

/** What is shown of an evaluation, one block below the other. */
export function Blocks({ blocks }: { blocks: readonly Block[] }) {
  return (
    <>
      {shownData(blocks, ['text']).map((block, at) => (
        <Fragment key={at}>{shown(block)}</Fragment>
      ))}
    </>
  );
}

const tones = { good: 'verdict is-better', bad: 'verdict is-worse', neutral: 'verdict', quiet: 'quiet' };

function shown(block: Block) {
  switch (block.kind) {
    case 'heading':
      return <h3>{block.text}</h3>;
    case 'text':
      return (
        <p class={block.tone && tones[block.tone]} role="status">
          {block.text}
        </p>
      );
    case 'table':
      return <Table table={block} />;
    case 'chart':
      return (
        <figure>
          <Scrolling label={block.drawing.title}>
            <Picture drawing={block.drawing} />
          </Scrolling>
          <figcaption class="quiet small">{block.caption}</figcaption>
        </figure>
      );
    case 'list':
      return <List items={block.items} />;
    case 'warnings':
      return (
        <details class="notice">
          <summary>{plural(block.items.length, 'warning')} about the questions</summary>
          <List items={block.items} />
        </details>
      );
    case 'folded':
      return (
        <details>
          <summary>{block.summary}</summary>
          <Blocks blocks={block.blocks} />
        </details>
      );
  }
}

function Table({ table: { head, words, rows } }: { table: TableBlock }) {
  const columns = head.map((name, at) => (at < words ? name : { name, kind: 'number' as const }));
  return (
    <Scrolling label={head.join(', ')}>
      <table class="plain metrics">
        <TableHead columns={columns} />
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {row.map((cell, column) =>
                column < words ? (
                  <th key={column} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={column} class="number" data-name={head[column]}>
                    {cell}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

function Scrolling({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a keyboard reaches and scrolls it.
    <section class="scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

function Picture({ drawing: { width, height, title, elements } }: { drawing: Drawing }) {
  return (
    <svg class="chart" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={title}>
      {elements.map(({ name, attributes, text }, at) => h(name, { ...attributes, key: at }, text))}
    </svg>
  );
}

function List({ items }: { items: readonly string[] }) {
  return (
    <ul class="block-list">
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}
