import { plainly } from '../shell/words.ts';
import { linkIn } from './link-in.ts';
import { Marked } from './marked.tsx';

/** Code, bold, emphasis, links and pictures within a line. */
const inline =
  /`[^`\n]{1,300}`|\*\*[^*\n]{1,500}\*\*|\*[^*\s][^*\n]{0,500}\*|!?\[[^\]\n]{0,300}\]\([^)\n]{0,500}\)|!?\[\[[^[\]\n]{1,300}\]\]/g;

/** A line of Markdown as it is meant to look. */
export function Styled({ text, marks }: { text: string; marks: RegExp | undefined }) {
  const parts: preact.ComponentChildren[] = [];
  let end = 0;
  for (const { 0: whole, index } of text.matchAll(inline)) {
    parts.push(<Marked key={end} text={text.slice(end, index)} marks={marks} />);
    parts.push(<StyledPart key={`at ${index}`} whole={whole} marks={marks} />);
    end = index + whole.length;
  }
  parts.push(<Marked key={end} text={text.slice(end)} marks={marks} />);
  return <>{parts}</>;
}

function StyledPart({ whole, marks }: { whole: string; marks: RegExp | undefined }) {
  const link = linkIn(whole);
  if (link)
    return (
      <span class="md-link" title={plainly(link.target)}>
        <Marked text={link.isShown ? `▨ ${link.name}` : link.name} marks={marks} />
      </span>
    );
  if (whole.startsWith('`'))
    return (
      <code>
        <Marked text={whole.slice(1, -1)} marks={marks} />
      </code>
    );
  if (whole.startsWith('**'))
    return (
      <strong>
        <Marked text={whole.slice(2, -2)} marks={marks} />
      </strong>
    );
  return (
    <em>
      <Marked text={whole.slice(1, -1)} marks={marks} />
    </em>
  );
}
