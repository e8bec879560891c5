import { escapeMarkup } from './safe-text.ts';
import { chartStyle, themeStyle } from './theme.ts';

/** A picture as SVG elements, with its size in pixels of the drawing. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  /** What the picture shows, for those who cannot see it. */
  readonly title: string;
  readonly elements: readonly Shape[];
}

/** One SVG element; its text is not escaped yet. */
export interface Shape {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly text?: string | undefined;
}

/** Width of every chart, so that they are aligned. */
export const chartWidth = 920;

/** Room around a picture that is a file of its own. */
const margin = 12;

/** One SVG element; numbers are rounded. */
export function element(name: string, attributes: Shape['attributes'], text?: string): Shape {
  const rounded = Object.entries(attributes).map(([key, value]) => [
    key,
    typeof value === 'number' ? Math.round(value * 100) / 100 : value,
  ]);
  return { name, attributes: Object.fromEntries(rounded), text };
}

/** A line of text at a place. */
export function label(x: number, y: number, text: string, className = '', anchor = 'start'): Shape {
  return element('text', { x, y, class: className, 'text-anchor': anchor }, text);
}

/** A straight line. */
export function line(x1: number, y1: number, x2: number, y2: number, className: string): Shape {
  return element('line', { x1, y1, x2, y2, class: className });
}

/** A picture for a page that brings the style. */
export function inlineSvg(drawing: Drawing): string {
  return svg(drawing, drawing.elements.map(written).join(''));
}

/** A picture as a file of its own, with its style and paper. */
export function standaloneSvg(drawing: Drawing): string {
  const { width, height, elements } = drawing;
  const size = { x: -margin, y: -margin, width: width + 2 * margin, height: height + 2 * margin };
  const paper = element('rect', { ...size, style: 'fill:var(--paper)' });
  const style = `<style>${themeStyle}${chartStyle}</style>`;
  return svg(drawing, `${style}${[paper, ...elements].map(written).join('')}`, margin);
}

function svg({ width, height, title }: Drawing, content: string, around = 0): string {
  const box = [-around, -around, width + 2 * around, height + 2 * around];
  const attributes = attributesOf({
    xmlns: 'http://www.w3.org/2000/svg',
    class: 'chart',
    viewBox: box.map((value) => Math.round(value * 100) / 100).join(' '),
    role: 'img',
    'aria-label': title,
  });
  return `<svg${attributes}><title>${escapeMarkup(title)}</title>${content}</svg>`;
}

function written({ name, attributes, text }: Shape): string {
  const all = attributesOf(attributes);
  return text === undefined ? `<${name}${all}/>` : `<${name}${all}>${escapeMarkup(text)}</${name}>`;
}

function attributesOf(attributes: Shape['attributes']): string {
  return Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${escapeMarkup(String(value))}"`)
    .join('');
}
