import { z } from 'zod';

/** A model's name as it may be in a request. */
export const modelName = z
  .string()
  .trim()
  .regex(/^[^\p{C}\s]{1,300}$/u, 'is a name without white space');
