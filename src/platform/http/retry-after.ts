import type { IncomingHttpHeaders } from 'node:http';
import { property } from './json-property.ts';

/** The longest wait that is accepted from a service. */
const maxWait = 24 * 60 * 60 * 1000;

/** Milliseconds that a service asks to wait: from `Retry-After`, in seconds or as a date, or from Google's `RetryInfo`. */
export function retryAfterOf(
  headers: IncomingHttpHeaders,
  body: unknown,
  now = Date.now(),
): number | undefined {
  return fromHeader(headers['retry-after'], now) ?? fromRetryInfo(body);
}

function fromHeader(value: string | undefined, now: number): number | undefined {
  const text = value?.trim();
  if (!text) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return bounded(Number(text) * 1000);
  // A date names its month; the parser would take a bare number for a year.
  const date = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : bounded(date - now);
}

function fromRetryInfo(body: unknown): number | undefined {
  const details = property(property(body, 'error'), 'details');
  if (!Array.isArray(details)) return undefined;
  for (const detail of details) {
    const delay = property(detail, 'retryDelay');
    const seconds = typeof delay === 'string' ? /^(\d+(?:\.\d+)?)s$/.exec(delay)?.[1] : undefined;
    if (seconds !== undefined) return bounded(Number(seconds) * 1000);
  }
  return undefined;
}

function bounded(milliseconds: number): number {
  return Math.min(Math.max(0, Math.ceil(milliseconds)), maxWait);
}
