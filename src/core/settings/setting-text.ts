import { z } from 'zod';

/** Reads a setting written as text (a variable or a flag) by the type its schema asks for. */
export function parseSettingText(schema: z.ZodType, text: string): unknown {
  const inner = withoutWrappers(schema);
  if (inner instanceof z.ZodBoolean) return parseBoolean(text);
  if (inner instanceof z.ZodNumber) return parseNumber(text);
  if (inner instanceof z.ZodArray) return parseList(text);
  if (inner instanceof z.ZodRecord || inner instanceof z.ZodObject) return parseJson(text);
  return text;
}

/** The schema's own type, without defaults and optionality around it. */
export function withoutWrappers(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional || schema instanceof z.ZodPrefault) {
    return withoutWrappers(schema.unwrap() as z.ZodType);
  }
  return schema;
}

/** Any value as a person would write it in `quarry.toml`. */
export function settingToText(value: unknown): string {
  if (value === undefined) return '(not set)';
  // JSON has no word for `nan` and `inf`.
  return typeof value === 'number' ? String(value) : withoutAddressSecrets(JSON.stringify(value));
}

/**
 * Addresses without what people hide in them: a name and password before the host, a key after the question mark. Each pattern
 * begins at a mark that ends the one before, so that a text that came with a folder costs time linear in its length.
 */
function withoutAddressSecrets(text: string): string {
  return text
    .replace(/(?<=[a-z0-9+.-]):\/\/[^/\s"@]*@/gi, '://(hidden)@')
    .replace(/(?<=[a-z0-9+.-]):\/\/[^\s"]*/gi, (address) => address.replace(/\?.*$/s, '?(hidden)'));
}

/** A text that is no number stays as it was written, so that an error can show it. */
function parseNumber(text: string): unknown {
  const value = Number(text);
  return text.trim() === '' || !Number.isFinite(value) ? text : value;
}

function parseBoolean(text: string): unknown {
  const lower = text.trim().toLowerCase();
  if (['true', '1', 'yes', 'on'].includes(lower)) return true;
  if (['false', '0', 'no', 'off'].includes(lower)) return false;
  return text;
}

/** Entries between commas, or a list as `quarry.toml` has it, for entries with commas of their own. */
function parseList(text: string): unknown {
  const list = /^\s*\[/.test(text) ? parseJson(text) : text;
  if (Array.isArray(list)) return list;
  return text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // No JSON: it is meant as it stands.
    return text;
  }
}
