/** Where diagnostics go. Results never pass through here. */
export interface Logger {
  debug(message: string): void;
  warn(message: string): void;
}

/** A logger that drops everything: the default of the library. */
export const silentLogger: Logger = { debug() {}, warn() {} };
