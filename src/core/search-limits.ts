import { z } from 'zod';
import { QuarryError } from './errors.ts';
import { pathMatcher } from './globs/glob.ts';

/** How many hits a search may be asked for. */
export const topKSchema = z.int().min(1).max(1000);
/** A share, a weight or a likelihood. */
export const shareSchema = z.number().min(0).max(1);
/** Chunks shown before and after a hit. */
export const neighboursSchema = z.int().min(0).max(20);
/** A limit on the tokens of what is shown. */
export const tokensSchema = z.int().min(32).max(1_000_000);
/** A glob over the paths of a project; one that leads out of it, or is none, is `usage-invalid`. */
export const globSchema = z.string().refine((glob) => {
  if (glob.split(/[\\/]/).some((part) => part === '..' || part === '!..'))
    throw new QuarryError(
      'usage-invalid',
      `"${glob.slice(0, 80)}" leads out of the project.`,
      'Write a glob such as src/** or *.md.',
    );
  return pathMatcher([glob]) !== undefined;
});
