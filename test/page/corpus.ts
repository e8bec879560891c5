/** Files of a small project about a boat house, in several languages and formats, some of them hostile. */
export const corpus: Readonly<Record<string, string>> = {
  'quarry.toml': '# How this project is indexed.\n\n[search]\ntop_k = 5 # enough for a screen\n',
  'README.md':
    '# Boat house\n\nBookings for rowing boats.\n\n## How a boat is reserved\n\nA reservation holds a boat for two hours. It is confirmed by e-mail.\n\n## Opening hours\n\nThe jetty opens at sunrise and closes when the lamp is lit.\n',
  'docs/safety.md':
    '# Safety\n\nEverybody wears a life jacket. Children under twelve row with an adult.\n\n## Storm\n\nWhen the wind is above force five, all boats return to the jetty.\n',
  'docs/prices.md':
    '# Prices\n\n| boat | hour |\n|---|---|\n| skiff | 12 |\n| four | 30 |\n\nMembers pay half.\n',
  'src/booking.ts': `/** Reserves a boat for two hours; fails where it is taken. */
export function reserveBoat(boat: string, from: Date): Reservation {
  const until = new Date(from.getTime() + 2 * 3_600_000);
  const taken = reservations.some((other) => other.boat === boat && overlaps(other, from, until));
  if (taken) throw new TypeError('The boat is taken.');
  const made = { boat, from, until };
  reservations.push(made);
  return made;
}

/** Whether two stretches of time share a moment. */
export function overlaps(other: Reservation, from: Date, until: Date): boolean {
  return other.from < until && from < other.until;
}

export interface Reservation {
  readonly boat: string;
  readonly from: Date;
  readonly until: Date;
}

const reservations: Reservation[] = [];
`,
  'src/weather.py':
    'def wind_force(speed):\n    """Beaufort force of a wind speed in metres a second."""\n    limits = [0.3, 1.6, 3.4, 5.5, 8.0, 10.8]\n    return sum(speed >= limit for limit in limits)\n',
  '<img src=x onerror=alert(1)>.md':
    '# <script>alert(1)</script>\n\nAn anchor <img src=x onerror="alert(2)"> of the boat <svg onload=alert(3)> and [a link](javascript:alert(4)).\n',
  'notes/lamp.txt': 'The lamp on the jetty is lit at dusk by whoever leaves last.\n',
};
