/** Primary result codes of SQLite that Quarry handles. */
export const resultCodes = {
  error: 1,
  permission: 3,
  busy: 5,
  locked: 6,
  noMemory: 7,
  readOnly: 8,
  interrupted: 9,
  inputOutput: 10,
  corrupt: 11,
  notFound: 12,
  full: 13,
  cannotOpen: 14,
  protocol: 15,
  tooLargeForSystem: 22,
  authorisation: 23,
  notADatabase: 26,
} as const;

/** SQLite's primary result code behind a thrown value; undefined where SQLite did not throw it. */
export function resultCode(thrown: unknown): number | undefined {
  const code = extendedCode(thrown);
  return code === undefined ? undefined : code & 0xff;
}

/** The extended result code: its low byte is the primary code, the rest details the cause. */
export function extendedCode(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || !('errcode' in thrown)) return undefined;
  return typeof thrown.errcode === 'number' ? thrown.errcode : undefined;
}

/** Whether a statement failed because another connection holds the file. */
export function isBusy(thrown: unknown): boolean {
  const code = resultCode(thrown);
  return code === resultCodes.busy || code === resultCodes.locked;
}
