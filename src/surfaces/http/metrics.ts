/** Upper bounds of the histogram of answer times, in seconds. */
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** A number that is read when somebody asks. */
export interface Gauge {
  readonly name: string;
  readonly help: string;
  read(): number;
}

/** Counts what a server does, for Prometheus. */
export interface Metrics {
  /** One answered request. The route is its pattern, so that names of projects make no series of their own. */
  count(route: string, status: number, seconds: number): void;
  /** All series in the text format of Prometheus. */
  render(): string;
}

/** Nothing counted yet. */
export function createMetrics(gauges: readonly Gauge[]): Metrics {
  const requests = new Map<string, number>();
  const times = new Map<string, { readonly counts: number[]; sum: number; total: number }>();
  return {
    count(route, status, seconds) {
      const series = `route="${route}",status="${status}"`;
      requests.set(series, (requests.get(series) ?? 0) + 1);
      const time = times.get(route) ?? { counts: bounds.map(() => 0), sum: 0, total: 0 };
      times.set(route, time);
      bounds.forEach((bound, index) => {
        if (seconds <= bound) time.counts[index] = (time.counts[index] ?? 0) + 1;
      });
      time.sum += seconds;
      time.total += 1;
    },
    render() {
      const name = 'quarry_request_seconds';
      return [
        ...family('quarry_requests_total', 'counter', 'Answered requests.'),
        ...[...requests].map(([series, value]) => `quarry_requests_total{${series}} ${value}`),
        ...family(name, 'histogram', 'Seconds until a request was answered.'),
        ...[...times].flatMap(([route, { counts, sum, total }]) => [
          ...bounds.map((bound, index) => `${name}_bucket{route="${route}",le="${bound}"} ${counts[index]}`),
          `${name}_bucket{route="${route}",le="+Inf"} ${total}`,
          `${name}_sum{route="${route}"} ${sum}`,
          `${name}_count{route="${route}"} ${total}`,
        ]),
        ...gauges.flatMap((gauge) => [
          ...family(gauge.name, 'gauge', gauge.help),
          `${gauge.name} ${gauge.read()}`,
        ]),
        '',
      ].join('\n');
    },
  };
}

function family(name: string, type: string, help: string): string[] {
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`];
}
