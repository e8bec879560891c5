// Seconds over files, both by powers of ten, as a picture that a page can show: what grows as the size does is a line that
// rises as the grey ones do.
const width = 720;
const height = 420;
const edge = { left: 60, right: 210, top: 20, bottom: 40 };
const colours = ['#0b6bcb', '#c2410c', '#15803d', '#7e22ce', '#b45309', '#0e7490', '#be123c'];

/** A line of the chart: a name and its points. */
export interface Line {
  readonly name: string;
  readonly points: readonly (readonly [files: number, seconds: number])[];
}

/** The chart as SVG. */
export function chartOf(lines: readonly Line[]): string {
  const points = lines.flatMap((line) => line.points);
  const [fromX, toX] = decades(points.map(([files]) => files));
  const [fromY, toY] = decades(points.map(([, seconds]) => seconds));
  const x = (files: number) => scale(Math.log10(files), fromX, toX, edge.left, width - edge.right);
  const y = (seconds: number) => scale(Math.log10(seconds), fromY, toY, height - edge.bottom, edge.top);
  const parts: string[] = [];
  for (let at = fromX; at <= toX; at += 1)
    parts.push(
      `<line x1="${x(10 ** at)}" y1="${edge.top}" x2="${x(10 ** at)}" y2="${height - edge.bottom}" stroke="#ddd"/>`,
      label(x(10 ** at), height - edge.bottom + 18, (10 ** at).toLocaleString('en'), 'middle'),
    );
  for (let at = fromY; at <= toY; at += 1)
    parts.push(
      `<line x1="${edge.left}" y1="${y(10 ** at)}" x2="${width - edge.right}" y2="${y(10 ** at)}" stroke="#ddd"/>`,
      label(edge.left - 6, y(10 ** at) + 4, `${Number((10 ** at).toPrecision(1))} s`, 'end'),
    );
  // Where a thing takes ten times as long for ten times as many files.
  for (let at = fromY - 1; at <= toY; at += 1) {
    const rises = Math.min(toX - fromX, toY - at);
    const skips = Math.max(0, fromY - at);
    if (rises > skips)
      parts.push(
        `<line x1="${x(10 ** (fromX + skips))}" y1="${y(10 ** (at + skips))}" x2="${x(10 ** (fromX + rises))}" y2="${y(10 ** (at + rises))}" stroke="#ccc" stroke-dasharray="3 4"/>`,
      );
  }
  const ends = placed(lines.map(({ points: own }) => y(own.at(-1)?.[1] ?? 1)));
  for (const [index, { name, points: own }] of lines.entries()) {
    const colour = colours[index % colours.length];
    const path = own.map(([files, seconds]) => `${x(files).toFixed(1)},${y(seconds).toFixed(1)}`);
    parts.push(
      `<polyline points="${path.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
      ...own.map(
        ([files, seconds]) => `<circle cx="${x(files)}" cy="${y(seconds)}" r="3" fill="${colour}"/>`,
      ),
      label(width - edge.right + 8, (ends[index] ?? 0) + 4, name, 'start', colour),
    );
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<title>Seconds of each step over the number of files</title>
<rect width="${width}" height="${height}" fill="white"/>
${parts.join('\n')}
${label((edge.left + width - edge.right) / 2, height - 6, 'files', 'middle')}
</svg>
`;
}

function label(x: number, y: number, text: string, anchor: string, colour = '#444'): string {
  return `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" fill="${colour}">${text}</text>`;
}

function scale(value: number, from: number, to: number, low: number, high: number): number {
  return Number((low + ((value - from) / Math.max(1e-9, to - from)) * (high - low)).toFixed(1));
}

function decades(values: readonly number[]): [from: number, to: number] {
  const from = Math.floor(Math.log10(Math.min(...values)));
  return [from, Math.max(from + 1, Math.ceil(Math.log10(Math.max(...values))))];
}

/** Moves names apart that would stand in each other. */
function placed(wanted: readonly number[]): number[] {
  const found: number[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const at of [...wanted.keys()].sort((one, other) => (wanted[one] ?? 0) - (wanted[other] ?? 0))) {
    last = Math.max(wanted[at] ?? 0, last + 15);
    found[at] = last;
  }
  return found;
}
