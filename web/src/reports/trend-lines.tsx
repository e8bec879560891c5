import { ago, plainly } from '../shell/words.ts';
import type { Report } from './choice.ts';
import { type Trend, trendsOf } from './trend.ts';

const width = 260;
const height = 44;
const edge = 5;

/** How well the same questions were found from one evaluation to the next. */
export function TrendLines({ reports }: { reports: readonly Report[] }) {
  const trends = trendsOf(reports);
  if (trends.length === 0) return null;
  return (
    <section class="trends">
      <h2>The same questions over time</h2>
      <ul>
        {trends.map((trend) => (
          <li key={trend.run}>
            <Line trend={trend} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Line({ trend: { run, scores } }: { trend: Trend }) {
  const points = scores.map(({ score }, index) => ({
    x: edge + (index / (scores.length - 1)) * (width - 2 * edge),
    y: edge + (1 - score) * (height - 2 * edge),
  }));
  const [first] = scores;
  const last = scores.at(-1);
  if (!first || !last) return null;
  const told = `${plainly(run)}: nDCG@10 ${first.score.toFixed(3)} ${ago(first.at)}, ${last.score.toFixed(3)} ${ago(last.at)}`;
  return (
    <figure>
      <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="img" aria-label={told}>
        <path d={`M0 ${edge}H${width}M0 ${height - edge}H${width}`} class="limits" />
        <path d={`M${points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join('L')}`} class="line" />
        {points.map(({ x, y }, index) => (
          <circle key={index} cx={x} cy={y} r="3" />
        ))}
      </svg>
      <figcaption>{told}</figcaption>
    </figure>
  );
}
