import { escapeMarkup } from './safe-text.ts';
import { chartStyle, themeStyle } from './theme.ts';

/** A picture as SVG elements, with its size in pixels of the drawing. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** What the picture shows, for those who cannot see it. */
  readonly title: string;
  readonly elements: readonly string[];
}

/** Width of every chart, so that they are aligned. */
export const chartWidth = 920;

/** Room around a picture that is a file of its own. */
const margin = 12;

type Attributes = Readonly<Record<string, string | number>>;

/** One SVG element; attribute values and text are escaped, numbers are rounded. */
export function element(name: string, attributes: Attributes, content?: string): string {
  const written = Object.entries(attributes)
    .map(
      ([key, value]) => ` ${key}="${escapeMarkup(typeof value === 'number' ? shortNumber(value) : value)}"`,
    )
    .join('');
  return content === undefined ? `<${name}${written}/>` : `<${name}${written}>${content}</${name}>`;
}

/** A line of text at a place. */
export function label(x: number, y: number, text: string, className = '', anchor = 'start'): string {
  return element('text', { x, y, class: className, 'text-anchor': anchor }, escapeMarkup(text));
}

/** A straight line. */
export function line(x1: number, y1: number, x2: number, y2: number, className: string): string {
  return element('line', { x1, y1, x2, y2, class: className });
}

/** A picture for a page that brings the style. */
export function inlineSvg(drawing: Drawing): string {
  return svg(drawing, `<title>${escapeMarkup(drawing.title)}</title>${drawing.elements.join('')}`);
}

/** A picture as a file of its own, with its style and paper. */
export function standaloneSvg(drawing: Drawing): string {
  const { width, height, title, elements } = drawing;
  const size = { x: -margin, y: -margin, width: width + 2 * margin, height: height + 2 * margin };
  const paper = element('rect', { ...size, style: 'fill:var(--paper)' });
  return svg(
    drawing,
    `<title>${escapeMarkup(title)}</title><style>${themeStyle}${chartStyle}</style>${paper}${elements.join('')}`,
    margin,
  );
}

function svg({ width, height, title }: Drawing, content: string, around = 0): string {
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      class: 'chart',
      viewBox: [-around, -around, width + 2 * around, height + 2 * around].map(shortNumber).join(' '),
      role: 'img',
      'aria-label': title,
    },
    content,
  );
}

function shortNumber(value: number): string {
  return String(Math.round(value * 100) / 100);
}
