/** `TypeError: x is not a function`, `error TS2345: …`, `fatal: …`, `ENOENT: …`, `panic: …` */
export const errorPattern =
  /(?:^|\s)(?:[A-Za-z.]*(?:Error|Exception|Warning)|fatal|panic|error(?:\[?\s?[A-Z]+\d+\]?)?|E[A-Z]{4,}):\s/;
