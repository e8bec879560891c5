/** Tasks that a thread of a bounded pool has at most, the one in work included. */
export const tasksPerThread = 8;
