/** How often a property is drawn: in CI as often as is named, elsewhere a fifth, since most failures show in the first draws. */
export function draws(count: number): number {
  return process.env.CI ? count : Math.max(5, Math.ceil(count / 5));
}
